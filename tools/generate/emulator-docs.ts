import { z } from "zod";
import { allowed, metaOf } from "../../api";
import { actions } from "../../emulator/areas";
import { controlPaths } from "../../emulator/http/control";
import { type Files, PAGE_MARK } from "./mark";
import { descriptionOf, requestField, table } from "./markdown";
import { fieldsIn } from "./resources/fields";
import { typeOf } from "./type-words";

type Schema = z.core.$ZodType;

/**
 * Generates docs/emulator-control.md: the body fields of each request to the emulator's control API (`/_emulator/…`).
 */
export function emulatorControlFile(): Files {
  const taking = controlPaths(actions).filter(({ body }) => rowsOf(body).length > 0);
  const text = [
    `${PAGE_MARK}\n# Fields of the emulator's control interface`,
    "See [The emulator](emulator.md) for what each request does. Requests that are not listed here have no body. Required fields are in bold.",
    ...taking
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .flatMap(({ path, body }) => [
        `## ${path.replace(" ", " /_emulator/")}`,
        table(["Field", "Type", "Allowed", "Description"], rowsOf(body)),
      ]),
  ];
  return { "docs/emulator-control.md": `${text.join("\n\n")}\n` };
}

/**
 * Table rows for the fields of a request body. If several variants of the body have the same field, it is listed once.
 */
function rowsOf(body: Schema): string[][] {
  if (body instanceof z.core.$ZodUnion) {
    const rows = body._zod.def.options.flatMap(rowsOf);
    return rows.filter((row, at) => rows.findIndex((other) => other.join() === row.join()) === at);
  }
  return [...fieldsIn(body, false, undefined, (name) => name)].map(({ path, field }) => {
    const about = metaOf(field).description ?? "";
    return [requestField(path, field), typeOf(field), allowed(field, about).join("; "), descriptionOf(field).join(" ")];
  });
}
