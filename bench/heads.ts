import { join } from "node:path";

/** A provider to be measured: a provider of this project, or one without requests to compare it with. */
export interface Head {
  name: string;
  /** The package that programs import. */
  module: string;
  /** Settings in Pulumi.yaml by which Pulumi finds the provider. */
  project?: string;
  /**
   * Set for a provider that sends no requests and only shows how fast any provider could be. With `instant` its
   * operations return immediately; with `service` they wait as long as the service would take.
   */
  floor?: "instant" | "service";
}

const floor = join(__dirname, "floor");

const projectWith = (plugin: string): string =>
  `plugins: { providers: [{ name: cloudinfra, path: ${JSON.stringify(plugin)} }] }`;

export const dynamic: Head = { name: "dynamic", module: "pulumi-cloudinfra" };

export const native: Head = {
  name: "native",
  module: "pulumi-cloudinfra/native",
  project: projectWith("./node_modules/pulumi-cloudinfra"),
};

/** A provider that returns immediately. All measured time is spent in Pulumi itself. */
export const instant: Head = { name: "returns immediately", module: floor, floor: "instant" };

/**
 * A provider that waits for one request per change, and for the time that the service takes. No provider can be faster.
 */
export const serviceTime: Head = { name: "waits for the service", module: floor, floor: "service" };

/** A native plugin that returns immediately. All measured time is spent in Pulumi itself. */
export const instantPlugin: Head = {
  name: instant.name,
  module: native.module,
  project: projectWith(join(__dirname, "../../bench/floor")),
  floor: "instant",
};
