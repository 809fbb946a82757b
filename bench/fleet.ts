import { type Emulator, type EmulatorOptions, startEmulator } from "../emulator";
import { engine, type Run } from "../testing/engine";

/** The measurements of one Pulumi command. */
interface Measured {
  command: string;
  seconds: number;
  calls: number;
  byOperation: Record<string, number>;
}

/** Instances, volumes and records, n of each, in one domain. */
const fleet = (n: number): string => `
const cloudinfra = require("pulumi-cloudinfra");
const region = "us-east";
const domain = new cloudinfra.Domain("zone", { domain: "example.com", type: "master", soaEmail: "admin@example.com" });
for (let i = 0; i < ${n}; i++) {
  new cloudinfra.Instance(\`web-\${i}\`, { region, type: "g6-nanode-1", image: "compute/debian11", rootPass: "correct horse 1 battery" });
  new cloudinfra.Volume(\`data-\${i}\`, { region, size: 20 });
  new cloudinfra.DomainRecord(\`a-\${i}\`, { domainId: domain.id, type: "A", name: \`web-\${i}\`, target: \`192.0.2.\${i % 250}\` });
}
`;

async function measured(emulator: Emulator, command: string, run: () => Promise<Run>): Promise<Measured> {
  emulator.requests.clear();
  const began = performance.now();
  await run();
  const seconds = (performance.now() - began) / 1000;
  const byOperation: Record<string, number> = {};
  for (const { operation, method, path } of emulator.requests.list()) {
    const name = operation ?? `${method} ${path}`;
    byOperation[name] = (byOperation[name] ?? 0) + 1;
  }
  const calls = Object.values(byOperation).reduce((sum, count) => sum + count, 0);
  return { command, seconds, calls, byOperation };
}

/** Runs each command on a fleet in turn, against an emulator that responds after `latency` milliseconds. */
export async function* fleetRuns(n: number, { pace = "fast", latency = 50 }: Service = {}): AsyncGenerator<Measured> {
  await using emulator = await startEmulator({ pace, latency });
  const config = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
  await using stack = await engine({ program: { "index.js": fleet(n) }, config, timeoutMs: 900_000 });
  yield await measured(emulator, "up", () => stack.up());
  yield await measured(emulator, "drift check", () => stack.refresh(["--preview-only", "--expect-no-changes"]));
  yield await measured(emulator, "preview", () => stack.preview(["--expect-no-changes"]));
  yield await measured(emulator, "destroy", () => stack.destroy());
}

type Service = Pick<EmulatorOptions, "pace" | "latency">;

async function main(): Promise<void> {
  const n = Number(process.env.N ?? 20);
  console.log(`${n} instances with an image, ${n} volumes, ${n} records in a domain; each request takes 50 ms`);
  for await (const { command, seconds, calls, byOperation } of fleetRuns(n)) {
    const counts = Object.entries(byOperation).map(([operation, count]) => `${count} ${operation}`);
    console.log(`${command}: ${seconds.toFixed(1)} s, ${calls} requests (${counts.join(", ")})`);
  }
}

if (require.main === module) void main();
