import { join } from "node:path";

/** A provider to measure: this project's, or one to compare it with. */
export interface Head {
  name: string;
  /** The package that the program imports. */
  module: string;
  /** Settings in the project file that the program needs to find the provider. */
  project?: string;
  /** The duration of the floor provider's operations; unset for a provider that calls the service. */
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

/** Shows the engine's own share: a provider that returns immediately. */
export const instant: Head = { name: "returns immediately", module: floor, floor: "instant" };

/** Shows what no provider can avoid: one request per change, and the time that the service takes for it. */
export const serviceTime: Head = { name: "waits for the service", module: floor, floor: "service" };

/** The same for the native plugin. */
export const instantPlugin: Head = {
  name: instant.name,
  module: native.module,
  project: projectWith(join(__dirname, "../../bench/floor")),
  floor: "instant",
};
