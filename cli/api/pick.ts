import { entryOf, fieldsOf, isObject, type Operation, suggestion } from "../../api";
import { printable, printableJson } from "../../provider/client/printable";
import { CommandError, UsageError } from "../../stack/errors";
import { BadFilter } from "../jq/filters";
import { filterFrom } from "../jq/parse";
import { rowsOf } from "./table";

/** Selects parts of a response, and yields their text in pieces. */
export type Picked = (answer: unknown) => Iterable<string>;

interface Asked {
  json: boolean;
  jq?: string | undefined;
  columns?: string | undefined;
}

/** The selection by `--jq` or `--columns`. Undefined if neither is set. */
export function pickOf(operation: Operation, { json, jq, columns }: Asked): Picked | undefined {
  const given = [json && "--json", jq !== undefined && "--jq", columns !== undefined && "--columns"].filter(Boolean);
  if (given.length > 1) throw new UsageError(`${given.join(" and ")} cannot be combined; use one of them`);
  if (jq !== undefined) return filtered(jq);
  return columns === undefined ? undefined : chosen(operation, columns);
}

function filtered(text: string): Picked {
  const filter = tried(
    () => filterFrom(text),
    (why) => new UsageError(`--jq ${text}: ${why}`),
  );
  return function* (answer) {
    const found = tried<unknown[]>(
      () => filter(answer),
      (why) => new CommandError(`--jq ${text}: ${why}. The call itself succeeded`, 2),
    );
    for (const one of found) yield `${typeof one === "string" ? printable(one) : printableJson(JSON.stringify(one))}\n`;
  };
}

function tried<T>(work: () => T, failed: (why: string) => Error): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BadFilter ? failed(error.message) : error;
  }
}

/**
 * The selection by `--columns`: a table with the given fields of each entry of a list, or of a single object. Fields of
 * nested objects are written as paths, such as `alerts.cpu`.
 */
function chosen(operation: Operation, text: string): Picked {
  const names = text.split(",").map((name) => name.trim());
  const known = Object.keys(fieldsOf(entryOf(operation) ?? operation.result));
  const unknown = names.find((name) => !name || (known.length && !known.includes(name.split(".")[0] ?? "")));
  if (unknown !== undefined)
    throw new UsageError(`--columns ${text}: there is no field "${unknown}"${suggestion(unknown, known)}`);
  return (answer) => {
    const rows = entryOf(operation) && isObject(answer) ? (answer.data as Record<string, unknown>[]) : [answer];
    return [`${rowsOf(names, rows)}\n`];
  };
}
