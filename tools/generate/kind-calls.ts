import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NamedOperation } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { areas } from "./operations";

/** The files whose requests belong to resource classes. */
const SOURCES = "provider/{resources,engine}/**/*.ts";

/** A call in a definition, such as `api.volumes.resize`, but not the schema of its body, `volumes.resize.body`. */
const CALL = /\b(\w+)(?=\s*\.\s*(\w+)\b(?!\s*\.\s*(?:body|query|result)\b))/g;

/**
 * The operations that change something and that no resource class calls, as the text of the definitions shows, and the
 * delete operations that the engine calls for definitions without `delete.run`.
 */
export function withoutKind(root: string, kinds: Record<string, Kind>): NamedOperation[] {
  const calledOperations = new Set(
    globSync(SOURCES, { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(CALL)].map(([, area, key]) => `${area}.${key}`),
    ),
  );
  for (const { identity, delete: { run } = {} } of Object.values(kinds))
    if (run === undefined) calledOperations.add(`${String(identity.area)}.delete`);
  return areas
    .flatMap(({ all }) => all)
    .filter(({ name, operation }) => operation.method !== "GET" && !calledOperations.has(name));
}
