import { expect } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import type { Host } from "../../provider/engine/host";
import { hostOf } from "../../provider/pulumi/connection";
import type { KindName } from "../../provider/resources";
import type { ProviderType } from "../../stack/migration";
import { sharedPlugin } from "../../testing/native-provider";
import { type Inputs, Managed } from "../../testing/provider";
import { dynamicProvider } from "../../testing/resource-provider";
import { busyTime } from "../../testing/virtual-time";

/**
 * Virtual milliseconds for a write of the Pulumi state, which follows each create, update and delete. Only one write
 * runs at a time.
 */
const WRITE_MS = 40;
export const READ_MS = 5;

export type Work = () => Promise<unknown>;

interface StackOptions extends EmulatorOptions {
  speed?: number;
  provider?: ProviderType;
}

/**
 * Simulates a Pulumi stack in virtual time, to measure commands with many resources. `parallel` corresponds to Pulumi's
 * option `--parallel`.
 */
export async function stackOf(parallel: number, { speed, provider = "dynamic", ...options }: StackOptions = {}) {
  const emulator = await startEmulator({ pace: "stepped", ...options });
  const time = busyTime(emulator, speed);
  const open: { close(): Promise<void> }[] = [];
  const connected = (): Host => {
    const client = connect({ url: emulator.url, token: emulator.token, ...time });
    open.push(client);
    return hostOf(client, time, { warn: () => {}, progress: () => {} });
  };
  let host = connected();
  const providerOf = provider === "native" ? sharedPlugin(() => host, time.traffic) : dynamicProvider;
  let written: Promise<void> = Promise.resolve();
  const write = (ms: number): Promise<void> => {
    written = written.then(() => time.sleep(ms));
    return written;
  };
  return {
    emulator,
    /** Simulates the start of a Pulumi command, which has a new provider with a new connection. */
    command(): Host {
      host = connected();
      return host;
    },
    resource<K extends KindName>(kind: K, name: string, inputs: () => Inputs<K>) {
      const managed = new Managed(kind, host, name, providerOf);
      const preview = async () => expect((await managed.preview(inputs())).op).toBe("same");
      return { managed, up: () => managed.up(inputs()), preview, destroy: () => managed.destroy() };
    },
    /** Number of requests of the last command that failed with status 429, because they exceeded the rate limit. */
    rejected: () => emulator.requests.list().filter(({ status }) => status === 429).length,
    /**
     * Simulates a Pulumi command that performs the operations `all`. Returns the numbers of API calls, and the errors.
     */
    async run(
      all: readonly Work[],
      ms = WRITE_MS,
    ): Promise<{ calls: number; byOperation: Record<string, number>; errors: Error[] }> {
      emulator.requests.clear();
      const errors: Error[] = [];
      const left = [...all];
      const worker = async (): Promise<void> => {
        for (let work = left.shift(); work; work = left.shift()) {
          await work().catch((error) => errors.push(error));
          await write(ms);
        }
      };
      await Promise.all(Array.from({ length: parallel }, worker));
      const byOperation = emulator.requests.counts();
      return { calls: Object.values(byOperation).reduce((sum, count) => sum + count, 0), byOperation, errors };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((client) => client.close()));
      await emulator.close();
    },
  };
}

type Stack = Awaited<ReturnType<typeof stackOf>>;

export const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const region = "us-east";

/** A domain with n instances, n volumes and n records. `tags` returns the tags that the program declares. */
export function fleet({ resource }: Stack, n: number, tags: () => string[] | undefined = () => undefined) {
  const zone = resource("Domain", "zone", () => ({
    domain: "example.com",
    type: "master",
    soaEmail: "admin@example.com",
  }));
  const instances = numbers(n).map((i) =>
    resource("Instance", `web-${i}`, () => ({
      region,
      type: "g6-nanode-1",
      image: "compute/debian11",
      rootPass: "correct horse 1 battery",
      tags: tags(),
    })),
  );
  const volumes = volumesOf({ resource }, n, tags);
  const records = numbers(n).map((i) =>
    resource("DomainRecord", `a-${i}`, () => ({
      domainId: Number(zone.managed.id),
      type: "A",
      name: `web-${i}`,
      target: `192.0.2.${i % 250}`,
    })),
  );
  // In the order in which Pulumi creates them: volumes first, because they have neither dependencies nor secret inputs.
  const all = [...volumes, ...instances, ...records];
  return { zone, all, labelled: [...volumes, ...instances] };
}

export const volumesOf = (
  { resource }: Pick<Stack, "resource">,
  count: number,
  tags: () => string[] | undefined = () => undefined,
) => numbers(count).map((i) => resource("Volume", `data-${i}`, () => ({ region, size: 20, tags: tags() })));
