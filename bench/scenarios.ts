import type { Pace } from "../emulator";
import { dynamic, instantPlugin, native, type Provider, serviceTimePlugin } from "./providers";

/** A Pulumi command to run on a stack. */
export type Step = "up" | "preview" | "up without a change" | "one change" | "refresh" | "update" | "destroy";

/** How many resources have one more input than when the stack was created. */
export type Changed = "none" | "one" | "all";

/**
 * A program with a given number of resources, the commands to measure, settings of the emulator, and limits for the
 * results.
 */
export interface Scenario {
  name: string;
  /** The declarations of the program in JavaScript. */
  program(changed: Changed): string;
  steps: readonly Step[];
  /** Number of operations that Pulumi runs in parallel. Defaults to Pulumi's own default, four per core. */
  parallel?: number;
  /**
   * Settings of the emulator. With `rateLimits`, it enforces rate limits, and its clock is advanced before each command
   * so that requests of earlier commands do not count.
   */
  service: { pace: Pace; latency: number; rateLimits?: boolean };
  /**
   * The providers to measure: one of this project's first, then those to compare it with. Defaults to dynamic resources
   * and providers that send no requests.
   */
  providers?: readonly Provider[];
  limits?: Partial<Record<Step, Limits>>;
}

export interface Limits {
  calls?: number;
  seconds?: number;
  /** Peak memory of the provider's process, in MB. */
  memory?: number;
  /** Upper limit of the time, as a multiple of the time of a provider that only waits for the service. */
  timesService?: number;
  /** Upper limit of the time, as a multiple of the time of a provider that returns immediately. */
  timesInstant?: number;
}

const all: readonly Step[] = ["up", "preview", "up without a change", "one change", "refresh", "update", "destroy"];
const service = { pace: "fast", latency: 50 } as const;

const fleetProgram =
  (n: number) =>
  (changed: Changed): string =>
    `
const region = "us-east";
const tags = ${changed === "all" ? '["changed"]' : "undefined"};
const domain = new cloudinfra.Domain("zone", { domain: "example.com", type: "master", soaEmail: "admin@example.com", tags });
for (let i = 0; i < ${n}; i++) {
  new cloudinfra.Instance(\`web-\${i}\`, { region, type: "g6-nanode-1", image: "compute/debian11", rootPass: "correct horse 1 battery", tags });
  new cloudinfra.Volume(\`data-\${i}\`, { region, size: 20, tags${changed === "one" ? ': i ? tags : ["one"]' : ""} });
  new cloudinfra.DomainRecord(\`a-\${i}\`, { domainId: domain.id, type: "A", name: \`web-\${i}\`, target: \`192.0.2.\${i % 250}\`${changed === "all" ? ", ttlSec: 300" : ""} });
}
`;

/** A program with n instances, n volumes, and a domain with n records. */
export const fleet = (n: number, rest: Partial<Scenario> = {}): Scenario => ({
  name: `fleet of ${n.toLocaleString("en")}`,
  program: fleetProgram(n),
  steps: all,
  service,
  ...rest,
});

const oneInstance: Scenario = {
  name: "one instance",
  program: (changed) =>
    `new cloudinfra.Instance("web", { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass: "correct horse 1 battery"${changed === "none" ? "" : ', tags: ["changed"]'} });`,
  steps: ["up", "destroy"],
  service,
};

/**
 * A stack that contains only volumes. The provider polls the list of volumes, so one request can show that several new
 * ones are ready: at most as many as Pulumi creates in parallel, which is 16 by default on 4 cores.
 */
const manyVolumes: Scenario = {
  name: "1,000 volumes, --parallel 16",
  parallel: 16,
  program: () =>
    `for (let i = 0; i < 1000; i++) new cloudinfra.Volume(\`data-\${i}\`, { region: "us-east", size: 20 });`,
  steps: ["up", "refresh", "destroy"],
  service: { pace: "fast", latency: 0, rateLimits: true },
  limits: { up: { calls: 1_080, timesInstant: 1.4 }, destroy: { calls: 1_020, timesInstant: 1.4 } },
};

/** {@link fleet}, but with the native plugin. */
const nativeFleet = (n: number, rest: Partial<Scenario> = {}): Scenario =>
  fleet(n, {
    name: `fleet of ${n.toLocaleString("en")}, native plugin`,
    providers: [native, instantPlugin, serviceTimePlugin],
    ...rest,
  });

/** Limits for stacks that take Pulumi so long that providers without requests are not measured with them. */
const large: Partial<Scenario> = {
  steps: ["up", "one change", "refresh", "destroy"],
  limits: {
    up: { calls: 3_400, memory: 300 },
    "one change": { calls: 5, memory: 300 },
    refresh: { calls: 60, memory: 300 },
    destroy: { calls: 3_300, memory: 300 },
  },
};

/** A scenario that shows how much time the native plugin itself takes, because the service responds at once. */
const nativeShare = (n: number): Scenario => ({
  name: `native plugin, ${(3 * n).toLocaleString("en")} resources`,
  program: fleetProgram(n),
  steps: ["up"],
  service: { pace: "instant", latency: 0 },
  providers: [native, instantPlugin],
  limits: { up: { timesInstant: 1.15 } },
});

const small = fleet(20, {
  limits: {
    up: { calls: 80, seconds: 10 },
    preview: { calls: 4 },
    refresh: { calls: 16, seconds: 2 },
    destroy: { calls: 75, seconds: 3 },
  },
});

/** The scenarios of `make bench`. */
export const short: readonly Scenario[] = [oneInstance, small];

/**
 * The scenarios of `make bench-full`. The number of polls varies with the machine, so the limits of `up` are generous;
 * `test/lifecycle/calls.test.ts` has narrow ones, in virtual time.
 */
export const full: readonly Scenario[] = [
  ...short,
  fleet(100, {
    limits: {
      up: { calls: 360, seconds: 40, timesService: 1.3 },
      preview: { calls: 1, seconds: 6, timesInstant: 1.1 },
      "one change": { calls: 5, timesService: 1.1 },
      refresh: { calls: 20, seconds: 3, timesService: 1.5 },
      update: { calls: 330, timesService: 1.2 },
      destroy: { calls: 331, seconds: 8, timesService: 1.5 },
    },
  }),
  nativeFleet(100, {
    limits: {
      up: { calls: 360, seconds: 40, timesService: 1.3 },
      preview: { calls: 1, seconds: 5, timesInstant: 1.15 },
      "one change": { calls: 5, timesService: 1.3 },
      refresh: { calls: 20, seconds: 3 },
      update: { calls: 330, timesService: 1.2 },
      destroy: { calls: 331, timesService: 1.7 },
    },
  }),
  fleet(100, {
    name: "fleet of 100, --parallel 64",
    parallel: 64,
    steps: ["up", "destroy"],
    limits: { up: { calls: 360, seconds: 18 } },
  }),
  fleet(300, { steps: ["up", "one change", "refresh", "destroy"], limits: { up: { timesService: 1.3 } } }),
  manyVolumes,
  nativeShare(333),
  fleet(1_000, { ...large, providers: [dynamic] }),
  nativeFleet(1_000, { ...large, providers: [native] }),
];
