import type { FoundObject } from "../account/inventory";
import type { Found } from "../account/objects";
import { readEach } from "../account/reading";
import { kebab, suggestion } from "../api";
import { CloudInfraError } from "../provider/client/errors";
import type { Kind } from "../provider/engine/definition";
import type { Host } from "../provider/engine/host";
import { idFormat, idParts, pathOf, viewOf } from "../provider/engine/identity";
import { observe } from "../provider/engine/observe";
import { pick } from "../provider/engine/values";
import { idByName } from "../provider/plugin/import";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { type KindName, kinds } from "../provider/resources";
import { importable } from "./areas";

/** Thrown for an argument that does not identify an object, such as `instance` without an id. */
export class ObjectError extends CloudInfraError {
  override readonly name = "ObjectError";
}

interface RequestedObject {
  address: string;
  kind: Kind;
  id: string;
}

/**
 * The objects that arguments such as `instance/123` and `domain/5/7` specify. Objects that cannot be read are reported.
 */
export async function singleObjects(host: Host, words: readonly string[], limit?: TimeLimit): Promise<Found> {
  const read = async ({ kind, id }: RequestedObject) => {
    const object = await objectAt(host, kind, pathOf(kind, await idByName(kind, host, id)));
    return {
      object,
      context: await Promise.all(containersOf(object).map((one) => objectAt(host, one.kind, one.path))),
    };
  };
  const { done, unread, failure } = await readEach(words.map(parseRequest), read, limit);
  return {
    objects: done.map(({ result }) => result.object),
    context: done.flatMap(({ result }) => result.context),
    unread,
    failure,
  };
}

async function objectAt(host: Host, kind: Kind, path: FoundObject["path"]): Promise<FoundObject> {
  const row = await observe({ kind, host, path, want: {}, state: {}, purpose: "update" }, "recent");
  if (!row) throw new Error("does not exist");
  return { kind, path, row };
}

/** The objects that contain an object, such as the domain of a record. */
const containersOf = ({ kind, path }: FoundObject): Pick<FoundObject, "kind" | "path">[] =>
  definitions
    .filter((container) => isNestedIn(kind, container))
    .map((container) => ({ kind: container, path: pick(path, Object.keys(idParts(container))) }));

/**
 * Whether objects of the first kind are nested in objects of the second, as records are in domains. The API path of the
 * first then begins with the path of the second.
 */
function isNestedIn({ identity: { area } }: Kind, container: Kind): boolean {
  const [path, beginning] = [area, container.identity.area].map((name) => viewOf(name)?.path);
  return isWhole(container) && beginning !== undefined && path?.startsWith(`${beginning}/`) === true;
}

/**
 * Whether objects of the resource class are independent of other objects. A record or an attachment, in contrast,
 * belongs to another object, whose id is part of its own id: record `5/7` belongs to domain `5`.
 */
const isWhole = ({ identity: { parents } }: Kind): boolean => !parents || Object.keys(parents).length === 0;

const definitions: readonly Kind[] = importable.map((name) => kinds[name]);

/** Validates all arguments before anything is read. */
export function checkObjects(words: readonly string[]): void {
  for (const word of words) parseRequest(word);
}

const normalised = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase();

function parseRequest(word: string): RequestedObject {
  const [first = "", ...rest] = word.split("/");
  const exact = importable.find((name) => normalised(name) === normalised(first));
  if (!exact) {
    const matched = importable.find((name) => normalised(name).startsWith(normalised(first)) && first);
    const hint = matched ? `; did you mean ${matched}?` : suggestion(first, [...importable]);
    throw new ObjectError(
      `"${word}": there is no kind "${first}"${hint || "."} An object is a kind and an id, such as instance/123 or domain/5/7`,
    );
  }
  const id = rest.join("/");
  const kind = kindWith(exact, rest.length);
  if (!id || !kind) throw new ObjectError(`"${word}": must look like ${forms(exact).join(" or ")}`);
  return { address: `${kind.name}/${id}`, kind, id };
}

/**
 * The kind of the object that an argument specifies. The number of ids decides: `domain/5/7` is a record, which is a
 * part of a domain.
 */
function kindWith(name: KindName, length: number): Kind | undefined {
  const own: Kind = kinds[name];
  const count = Object.keys(idParts(own)).length;
  if (length <= count || !isWhole(own)) return own;
  const parts = nestedKindsOf(name).filter((kind) => Object.keys(idParts(kind)).length === length);
  return parts.length === 1 ? parts[0] : nestedKindsOf(name).length === 0 ? own : undefined;
}

const nestedKindsOf = (name: KindName): Kind[] => definitions.filter((kind) => isNestedIn(kind, kinds[name]));

const forms = (name: KindName): string[] =>
  [kinds[name] as Kind, ...nestedKindsOf(name)].map((kind) => `${kebab(kind.name)}/${idFormat(kind)}`);
