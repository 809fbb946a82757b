import { operations } from "../../../api";
import type { Kind } from "../../engine/definition";
import { type Host, operate } from "../../engine/host";
import { exampleOf, idOf, idParts, list, pathOf, recordPath } from "../../engine/identity";
import type { Bag } from "../../engine/values";

/** Inputs that can identify an object in `pulumi import`. */
const NAMES = ["label", "domain"];

/**
 * The id of an existing object, from the argument of `pulumi import`. The argument is an id, or a unique label instead
 * of the id's last part.
 */
export async function idNamed(kind: Kind, host: Host, given: string): Promise<string> {
  const problem = problemOf(kind, given);
  if (!problem) return given;
  const input = nameInput(kind);
  const labelled = await idLabelled(kind, host, given);
  if (labelled !== undefined || !input) return labelled ?? given;
  throw new Error(`${problem}, and no object has the ${input} "${given.split("/").at(-1)}"`);
}

/**
 * The id of the only object with a label. In the argument, the ids of the object's parents precede the label. Undefined
 * if no object has the label.
 */
export async function idLabelled(kind: Kind, host: Host, given: string): Promise<string | undefined> {
  const input = nameInput(kind);
  const [parents, name] = partsOf(kind, given) ?? [];
  if (!input || !parents || !name) return undefined;
  const found = await operate({ kind, host, operation: "read", name: () => `${kind.name} "${name}"` }, (host) =>
    objectsWith(kind, host, parents, { [input]: name }),
  );
  if (found.length > 1)
    throw new Error(`${kind.name}: ${found.join(", ")} all have the ${input} "${name}": import one of them by its id`);
  return found[0];
}

/** The error for an object that does not exist. Unlike Pulumi's own error, it explains the format of ids. */
export function notFound(kind: Kind, given: string): Error {
  const input = nameInput(kind);
  const names = input ? `id or ${input}` : "id";
  return new Error(`${kind.name}: no object has the ${names} "${given}"; an id looks like ${exampleOf(kind)}`);
}

/** The input whose value can be used instead of the id. Undefined if the API cannot list the objects. */
const nameInput = (kind: Kind): string | undefined =>
  isListed(kind) ? NAMES.find((name) => name in kind.fields) : undefined;

/**
 * Lists the objects of a resource class that can be imported. `query` contains the ids of their parents, such as
 * `domainId`.
 */
export async function* objectsOf(kind: Kind, host: Host, query: Bag): AsyncIterable<{ id: string; name: string }> {
  if (!isListed(kind))
    throw new Error(
      `${kind.name}: the objects of this kind cannot be listed, because the API does not have a list operation for them`,
    );
  const parents = Object.keys(idParts(kind)).slice(0, -1);
  const missing = parents.filter((name) => query[name] === undefined);
  if (missing.length)
    throw new Error(`${kind.name}: ${missing.join(" and ")} must be set to list the objects of this kind`);
  const above = Object.fromEntries(parents.map((name) => [name, query[name]]));
  for await (const record of list(kind, host, above, {})) {
    const id = idOf(kind, recordPath(kind, above, record));
    yield { id, name: String(record.label ?? record.domain ?? record.name ?? id) };
  }
}

const isListed = ({ identity: { area, lookup } }: Kind): boolean =>
  !lookup && "list" in operations[area as keyof typeof operations];

/** The reason why a text is not a valid id. Undefined if it is valid. */
function problemOf(kind: Kind, id: string): string | undefined {
  try {
    pathOf(kind, id);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Splits the argument of an import into the ids of the parents and a label. Undefined if the number of parts is wrong.
 */
function partsOf(kind: Kind, given: string): [parents: Bag, name: string] | undefined {
  const names = Object.keys(idParts(kind));
  const parts = given.split("/");
  const id = [...parts.slice(0, names.length - 1), "1"].join("/");
  if (parts.length < names.length || problemOf(kind, id)) return undefined;
  const { [names.at(-1) as string]: _, ...parents } = pathOf(kind, id);
  return [parents, parts.slice(names.length - 1).join("/")];
}

async function objectsWith(kind: Kind, host: Host, parents: Bag, named: Bag): Promise<string[]> {
  const ids: string[] = [];
  for await (const record of list(kind, host, parents, named))
    if (Object.entries(named).every(([key, value]) => record[key] === value))
      ids.push(idOf(kind, recordPath(kind, parents, record)));
  return ids;
}
