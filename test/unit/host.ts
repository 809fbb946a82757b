import { connect } from "../../provider/client";
import type { Hooks } from "../../provider/client/options";
import { realTime, type Time } from "../../provider/client/time";
import type { Host } from "../../provider/engine/host";
import { hostOf } from "../../provider/pulumi/connection";

/** A connection for tests that must not send API requests: nothing listens at its API address. */
export function hostless(time: Partial<Time> = {}, hooks: Hooks = {}, messages: Partial<Host> = {}): Host {
  const whole = { ...realTime, ...time };
  const client = connect({ url: "http://127.0.0.1:1/v4", token: "planted-token", hooks, ...whole });
  return { ...hostOf(client, whole, { warn: () => {}, progress: () => {} }), ...messages };
}
