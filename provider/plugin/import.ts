import { status } from "@grpc/grpc-js";
import { z } from "zod";
import { metaOf, type Operation, oneOf, operations, pathNames } from "../../api";
import { isPaged } from "../client/envelope";
import { canonicalInput, isEqual } from "../engine/comparison";
import { inputSchema, type Kind, nameField } from "../engine/definition";
import type { Host } from "../engine/host";
import { hasOwnId, idOf, idParts, idProblem, parentInputs, pathOf } from "../engine/identity";
import { list, recordPath } from "../engine/records";
import { withTimeLimit } from "../engine/time-limits";
import type { Bag } from "../engine/values";
import { NotFoundError, noObject } from "../pulumi/not-found";
import { ProtocolError } from "./failure";

/**
 * The id of an existing object, from the argument of `pulumi import`. The argument is an id, or a unique label instead
 * of the id's last part.
 */
export async function idByName(kind: Kind, host: Host, text: string): Promise<string> {
  const problem = idProblem(kind, text);
  if (!problem) return text;
  const input = nameInput(kind);
  const labelled = await idByLabel(kind, host, text);
  if (labelled !== undefined || !input) return labelled ?? text;
  throw new NotFoundError(`${problem}, and no object has the ${input} "${text.split("/").at(-1)}"`);
}

/**
 * The id of the only object with a label. In the argument, the ids of the object's parents precede the label. Undefined
 * if no object has the label.
 */
export async function idByLabel(kind: Kind, host: Host, text: string): Promise<string | undefined> {
  const input = nameInput(kind);
  const [parents, name] = partsOf(kind, text) ?? [];
  if (!input || !parents || !name) return undefined;
  const found = await withTimeLimit({ kind, host, operation: "read", name: () => `${kind.name} "${name}"` }, (host) =>
    objectsWith(kind, host, parents, { [input]: name }),
  );
  if (found.length > 1)
    throw new Error(`${kind.name}: ${found.join(", ")} all have the ${input} "${name}": import one of them by its id`);
  return found[0];
}

/** The error for an object that does not exist. */
export const notFound = (kind: Kind, text: string): NotFoundError => noObject(kind, text, nameInput(kind));

/**
 * The input whose value can be used instead of the id. Undefined if the API cannot list the objects, or if the input is
 * `name`: records and contacts often have the same one.
 */
function nameInput(kind: Kind): string | undefined {
  const field = nameField(kind);
  return field !== undefined && field !== "name" && field in kind.fields && sourceOf(kind)?.isPaged ? field : undefined;
}

/**
 * Lists the objects of a resource class that can be imported. `query` contains the ids of their parents, such as
 * `domainId`.
 */
export async function* objectsOf(kind: Kind, host: Host, query: Bag): AsyncIterable<{ id: string; name: string }> {
  const source = sourceOf(kind);
  if (!source)
    throw invalid(
      `${kind.name}: the objects of this kind cannot be listed, because the API does not have a list operation for them`,
    );
  const parents = parentsIn(kind, query, pathNames(source.path));
  if (!source.isPaged) {
    for (const path of await candidatesFor(kind, host, parents)) yield { id: idOf(kind, path), name: idOf(kind, path) };
    return;
  }
  for await (const record of list(kind, host, parents, {})) {
    const id = idOf(kind, recordPath(kind, parents, record));
    const field = nameField(kind);
    yield { id, name: String((field && record[field]) ?? id) };
  }
}

interface ListSource {
  path: string;
  /** Whether the operation returns pages of records. Otherwise, the definition finds the objects in its response. */
  isPaged: boolean;
}

/** The operation that lists the objects of a kind. Undefined for kinds without objects of their own, or a list. */
function sourceOf(kind: Kind): ListSource | undefined {
  const { area, lostCreate } = kind.identity;
  const { list } = operations[area as keyof typeof operations] as { list?: Operation };
  if (!list || !hasOwnId(kind)) return undefined;
  if (isPaged(list)) return { path: list.path, isPaged: true };
  return lostCreate !== "repeat" && lostCreate.candidates ? { path: list.path, isPaged: false } : undefined;
}

/** Validates a query, and returns the path parameters of the list request. */
function parentsIn(kind: Kind, query: Bag, names: readonly string[]): Bag {
  const unknown = Object.keys(query).filter((key) => !names.includes(key));
  const allowed = names.length ? `must be ${oneOf(names)}` : "this kind is listed without a query";
  if (unknown.length)
    throw invalid(`${kind.name}: ${unknown.join(" and ")} cannot be used in a query to list objects; ${allowed}`);
  const missing = names.filter((name) => query[name] === undefined);
  if (missing.length)
    throw invalid(`${kind.name}: ${missing.join(" and ")} must be set to list the objects of this kind`);
  const schemas = idParts(kind);
  return Object.fromEntries(
    names.map((name) => {
      const schema = schemas[name] ?? z.unknown();
      const text = query[name];
      const isNumber = schema instanceof z.core.$ZodNumber && typeof text === "string" && /^\d+$/.test(text);
      const parsed = z.safeParse(schema, isNumber ? Number(text) : text);
      if (!parsed.success) throw invalid(`${kind.name}: ${name} is not a valid id (given ${JSON.stringify(text)})`);
      return [name, parsed.data];
    }),
  );
}

async function candidatesFor(kind: Kind, host: Host, parents: Bag): Promise<Bag[]> {
  const { lostCreate } = kind.identity;
  return lostCreate === "repeat"
    ? []
    : ((await lostCreate.candidates?.({ host, api: host.api, want: parentInputs(kind, parents) })) ?? []);
}

const invalid = (message: string): ProtocolError => new ProtocolError(status.INVALID_ARGUMENT, message);

/**
 * Splits the argument of an import into the ids of the parents and a label. Undefined if the number of parts is wrong.
 */
function partsOf(kind: Kind, text: string): [parents: Bag, name: string] | undefined {
  const names = Object.keys(idParts(kind));
  const parts = text.split("/");
  const id = [...parts.slice(0, names.length - 1), "1"].join("/");
  if (parts.length < names.length || idProblem(kind, id)) return undefined;
  const { [names.at(-1) as string]: _, ...parents } = pathOf(kind, id);
  return [parents, parts.slice(names.length - 1).join("/")];
}

async function objectsWith(kind: Kind, host: Host, parents: Bag, inputs: Bag): Promise<string[]> {
  const ids: string[] = [];
  const isSame = (key: string, a: unknown, b: unknown): boolean =>
    isEqual(canonicalInput(kind, key, a, {}), canonicalInput(kind, key, b, {}));
  // Filters of the API compare names exactly, so a name with several forms, such as a domain, is compared here.
  const exact = Object.entries(inputs).filter(([key]) => metaOf(inputSchema(kind, key)).canonical === undefined);
  for await (const record of list(kind, host, parents, Object.fromEntries(exact)))
    if (Object.entries(inputs).every(([key, value]) => isSame(key, record[key], value))) {
      const path = recordPath(kind, parents, record);
      if (Object.entries(parents).every(([key, value]) => path[key] === value)) ids.push(idOf(kind, path));
    }
  return ids;
}
