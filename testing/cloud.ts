import { type EmulatorOptions, listen } from "../emulator";
import { openService } from "../emulator/service";
import { connect } from "../provider/client";
import { dialectOf } from "../provider/client/environment";
import type { Settings } from "../provider/engine/host";
import { hostOf } from "../provider/pulumi/connection";
import { DirectConnections, handleDirectly, type Options } from "./direct-connections";
import { virtualTime } from "./virtual-time";

/**
 * Starts an emulator and connects a provider to it. The emulator's clock advances only while the provider waits, so a
 * wait of ten minutes takes no time. `settings` are the stack's configuration. With a dialect, both sides speak it; the
 * environment variable CLOUDINFRA_TEST_DIALECT sets it for all tests.
 */
export async function cloud({ settings, ...overrides }: EmulatorOptions & { settings?: Settings } = {}) {
  const { CLOUDINFRA_TEST_DIALECT } = process.env;
  const dialect = overrides.dialect ?? dialectOf(CLOUDINFRA_TEST_DIALECT, "CLOUDINFRA_TEST_DIALECT");
  const options = { ...overrides, dialect };
  const service = await openService({ pace: "stepped", ...options });
  const emulator = await listen(service, options);
  const time = virtualTime(emulator);
  const stall = () => {
    service.faults.stalls();
    return () => {};
  };
  const { host } = new URL(emulator.url);
  const respond = async (request: Options) => {
    // A virtual wait never yields to the event loop, so each request yields to let concurrent operations run.
    await new Promise(setImmediate);
    return handleDirectly(service, host, request);
  };
  const dispatcherFor = () => new DirectConnections(respond, stall);
  const account = { url: emulator.url, token: emulator.token, dialect, dispatcherFor, ...time };
  const [client, other] = [connect(account), connect(account)];
  const open = [client, other];
  /** Warnings and progress messages that the provider has shown. */
  const warnings: string[] = [];
  const waits: string[] = [];
  const messages = {
    warn: (message: string) => void warnings.push(message),
    progress: (message: string) => void waits.push(message),
  };
  return {
    emulator,
    world: emulator.world,
    /** Sends API requests over a separate connection to the emulator, to simulate changes outside Pulumi. */
    api: other.api,
    /** The connection over which the provider under test uses the emulator. */
    host: hostOf(client, time, messages, settings),
    /**
     * Replaces the provider's connection by a new one with empty caches, because each Pulumi command starts a new
     * provider process.
     */
    reconnect() {
      const another = connect(account);
      open.push(another);
      return hostOf(another, time, messages, settings);
    },
    /**
     * Simulates an action of other accounts, the service or its staff. The paths are listed in
     * docs/emulator-control.md: `control("transfers/accept", { token })`.
     */
    async control(path: string, body: object): Promise<void> {
      const url = new URL(`/_emulator/${path}`, emulator.url);
      const headers = { "content-type": "application/json" };
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`POST ${url.pathname}: ${response.status} ${await response.text()}`);
    },
    warnings,
    waits,
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((client) => client.close()));
      await emulator.close();
    },
  };
}

export type Cloud = Awaited<ReturnType<typeof cloud>>;
