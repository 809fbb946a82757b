import { hostFor } from "../pulumi/connection";
import { call } from "./call";
import { functionNamed } from "./functions";

export { textOf } from "../pulumi/report";

/** Calls a function in the program's process. `config` is the stack's configuration as strings. */
export async function invoke(name: string, args: unknown, config: Readonly<Record<string, string>>): Promise<unknown> {
  const fn = functionNamed(name);
  const { api } = hostFor(config, { warn: console.warn, progress: console.log });
  return call(fn, api, args);
}
