import { join } from "node:path";

/**
 * A provider to measure: one of this project's, or one that sends no requests and shows how fast any provider could be.
 */
export interface Provider {
  name: string;
  /** The package that programs import. */
  module: string;
  /** Settings in Pulumi.yaml by which Pulumi finds the provider. */
  project?: string;
  /**
   * Set for a provider that sends no requests. With `instant`, its operations return immediately; with `service`, they
   * wait as long as the requests and the service's work would take.
   */
  floor?: "instant" | "service";
}

const floor = join(__dirname, "floor");

const projectWith = (plugin: string): string =>
  `plugins: { providers: [{ name: cloudinfra, path: ${JSON.stringify(plugin)} }] }`;

export const dynamic: Provider = { name: "dynamic", module: "pulumi-cloudinfra" };

export const native: Provider = {
  name: "native",
  module: "pulumi-cloudinfra/native",
  project: projectWith("./node_modules/pulumi-cloudinfra"),
};

/** A provider that returns immediately. All measured time is spent in Pulumi itself. */
export const instant: Provider = { name: "returns immediately", module: floor, floor: "instant" };

/**
 * A provider that only waits: as long as one request per change and the service's work take. No provider can be faster.
 */
export const serviceTime: Provider = { name: "waits for the service", module: floor, floor: "service" };

const floorPlugin = { module: native.module, project: projectWith(join(__dirname, "../../bench/floor")) };

/** A native plugin that returns immediately. All measured time is spent in Pulumi itself. */
export const instantPlugin: Provider = { ...instant, ...floorPlugin };

/** A native plugin that only waits. */
export const serviceTimePlugin: Provider = { ...serviceTime, ...floorPlugin };
