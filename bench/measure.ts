import diagnostics from "node:diagnostics_channel";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../emulator";
import { type EngineStack, engine, type Run } from "../testing/engine";
import type { Floor } from "./floor/provider";
import { type Memory, watchMemory } from "./process-memory";
import type { Provider } from "./providers";
import type { Changed, Scenario, Step } from "./scenarios";
import { serviceTimes } from "./service-times";

export interface Measured {
  scenario: string;
  provider: string;
  step: Step;
  seconds: number;
  calls: number;
  byOperation: Record<string, number>;
  /** Number of requests that the service rejected because of the rate limit. */
  rejected: number;
  inFlight: number;
  /** Peak memory in MB, by process. */
  memory: Memory;
  /** Size of the stack's exported state in bytes. */
  stateBytes: number;
}

/**
 * Inputs and outputs that this project's provider has returned, by resource type. The providers that send no requests
 * return the same values, so that Pulumi has as much state to write.
 */
export type Returned = Record<string, Pick<Floor[string], "inputs" | "outputs">>;

/** The longest time in milliseconds for which a rate limit of the service counts requests. */
const RATE_WINDOW_MS = 120_000;

/** Starts an emulator, and measures the Pulumi commands of a scenario, such as `up` and `destroy`, in order. */
export async function* measure(scenario: Scenario, provider: Provider, returned: Returned): AsyncGenerator<Measured> {
  const { service, parallel } = scenario;
  await using emulator = await startEmulator(service);
  const folder = await mkdtemp(join(tmpdir(), "floor-"));
  const floorFile = join(folder, "floor.json");
  await writeFile(floorFile, JSON.stringify(await floorOf(scenario, provider, returned)));
  const programOf = (changed: Changed): string =>
    `const cloudinfra = require(${JSON.stringify(provider.module)});\n${scenario.program(changed)}`;
  await using stack = await engine({
    program: { "index.js": programOf("none"), "Pulumi.yaml": projectOf(provider) },
    config: { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } },
    env: { BENCH_FLOOR: floorFile },
    timeoutMs: 3_600_000,
  });
  const args = parallel ? ["--parallel", String(parallel)] : [];
  try {
    for (const step of scenario.steps) {
      const changed = changes[step];
      if (changed) await stack.write("index.js", programOf(changed));
      // Advances the emulator's clock, so that requests of earlier commands do not count towards the rate limit.
      if (service.rateLimits) emulator.advance(RATE_WINDOW_MS);
      emulator.requests.clear();
      const requests = watchRequests();
      const memory = watchMemory(`PULUMI_TEST_STACK=${stack.home}`);
      const startedAt = performance.now();
      const run = await commands[step](stack, args);
      const seconds = (performance.now() - startedAt) / 1000;
      const peaks = memory.stop();
      const byOperation = emulator.requests.counts();
      if (step === "up" && !provider.floor) saveRun(returned, run);
      yield {
        scenario: scenario.name,
        provider: provider.name,
        step,
        seconds,
        calls: Object.values(byOperation).reduce((sum, count) => sum + count, 0),
        byOperation,
        ...requests.stop(),
        memory: peaks,
        stateBytes: JSON.stringify(await stack.export()).length,
      };
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const projectOf = ({ project = "" }: Provider): string =>
  `name: test\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\n${project}\n`;

/** The preview is measured as a step of its own, and its requests would count as those of the update. */
const alone = "--skip-preview";

/** Steps that change the program before their command. */
const changes: Partial<Record<Step, Changed>> = { "one change": "one", update: "all" };

const commands: Record<Step, (stack: EngineStack, args: string[]) => Promise<Run>> = {
  up: (stack, args) => stack.up([alone, ...args]),
  preview: (stack, args) => stack.preview(["--expect-no-changes", ...args]),
  "up without a change": (stack, args) => stack.up([alone, "--expect-no-changes", ...args]),
  // As users run it, with its preview.
  "one change": (stack, args) => stack.up(args),
  refresh: (stack, args) => stack.refresh(["--preview-only", "--expect-no-changes", ...args]),
  update: (stack, args) => stack.up([alone, ...args]),
  destroy: (stack, args) => stack.destroy([alone, ...args]),
};

/** Counts requests to servers in this process, in which the emulator runs. */
function watchRequests(): { stop(): Pick<Measured, "rejected" | "inFlight"> } {
  let now = 0;
  let inFlight = 0;
  let rejected = 0;
  const startedAt = () => {
    inFlight = Math.max(inFlight, ++now);
  };
  const ended = (message: unknown) => {
    now--;
    if ((message as { response: { statusCode: number } }).response.statusCode === 429) rejected++;
  };
  diagnostics.subscribe("http.server.request.start", startedAt);
  diagnostics.subscribe("http.server.response.finish", ended);
  return {
    stop() {
      diagnostics.unsubscribe("http.server.request.start", startedAt);
      diagnostics.unsubscribe("http.server.response.finish", ended);
      return { rejected, inFlight };
    },
  };
}

/**
 * Remembers the inputs and outputs of the first resource of each type. The providers that send no requests return them
 * later.
 */
function saveRun(returned: Returned, run: Run): void {
  for (const { op, type, inputs, outputs } of run.steps)
    if (op === "create" && type.includes("cloudinfra:"))
      returned[type.slice(type.lastIndexOf(":") + 1)] ??= {
        inputs: plainObject(inputs),
        outputs: plainObject(outputs),
      };
}

const plainObject = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith("__")));

async function floorOf({ service }: Scenario, provider: Provider, returned: Returned): Promise<Floor> {
  const times = provider.floor === "service" ? await serviceTimes(service.pace) : {};
  const request = provider.floor === "service" ? service.latency : 0;
  return Object.fromEntries(
    Object.entries(returned).map(([kind, properties]) => {
      const { create = 0, delete: removal = 0 } = times[kind] ?? {};
      return [
        kind,
        { ...properties, create: request + create, update: request, delete: request + removal, read: request },
      ];
    }),
  );
}
