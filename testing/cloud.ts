import { type EmulatorOptions, startEmulator } from "../emulator";
import { connect } from "../provider/client";
import { hostOf } from "../provider/heads/connection";
import { virtualTime } from "./virtual-time";

/**
 * A service of its own on a port of its own, and a provider's connection to it. Time stands still but for waits: each
 * wait moves the emulator's clock, so that ten minutes take no time.
 */
export async function cloud(options: EmulatorOptions = {}) {
  const emulator = await startEmulator({ pace: "stepped", ...options });
  const time = virtualTime(emulator);
  const account = { url: emulator.url, token: emulator.token, ...time };
  const [client, other] = [connect(account), connect(account)];
  const open = [client, other];
  /** What the user was told to know, and how the waits went. */
  const said: string[] = [];
  const waits: string[] = [];
  const talk = {
    warn: (message: string) => void said.push(message),
    progress: (message: string) => void waits.push(message),
  };
  return {
    emulator,
    world: emulator.world,
    /** A connection beside the provider's: what it changes happens behind the provider's back. */
    api: other.api,
    /** The provider's connection. */
    host: hostOf(client, time, talk),
    /** A new connection of the provider, as each command of Pulumi makes its own: it knows nothing yet. */
    reconnect() {
      const another = connect(account);
      open.push(another);
      return hostOf(another, time, talk);
    },
    said,
    waits,
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((client) => client.close()));
      await emulator.close();
    },
  };
}

export type Cloud = Awaited<ReturnType<typeof cloud>>;
