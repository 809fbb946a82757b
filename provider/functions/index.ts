import { hostFor } from "../heads/connection";
import { call } from "./call";
import { functions } from "./functions";

export { textOf } from "../heads/report";

const functionsByName = new Map(functions.map((one) => [one.name, one]));

/** What the program's own process does for a call of a function; `config` is the stack's raw configuration. */
export async function invoke(name: string, args: unknown, config: Readonly<Record<string, string>>): Promise<unknown> {
  const called = functionsByName.get(name);
  if (!called) throw new Error(`there is no function ${name}`);
  const { api } = hostFor(config, { warn: console.warn, progress: console.log });
  return call(called, api, args);
}
