import { entryOf, fieldsOf, isObject, type Operation, suggestion } from "../../api";
import { printable, printableJson } from "../../provider/client/printable";
import { CommandError, UsageError } from "../../stack/errors";
import { InvalidFilterError } from "../jq/filters";
import { filterFrom } from "../jq/parse";
import { rowsOf } from "./table";

/** Selects parts of a response, and yields their text in pieces. */
export type Picker = (result: unknown) => Iterable<string>;

interface PickOptions {
  json: boolean;
  jq?: string | undefined;
  columns?: string | undefined;
}

/** The selection by `--jq` or `--columns`. Undefined if neither is set. */
export function pickOf(operation: Operation, { json, jq, columns }: PickOptions): Picker | undefined {
  const options = [json && "--json", jq !== undefined && "--jq", columns !== undefined && "--columns"].filter(Boolean);
  if (options.length > 1) throw new UsageError(`${options.join(" and ")} cannot be combined; use one of them`);
  if (jq !== undefined) return jqPicker(jq);
  return columns === undefined ? undefined : columnPicker(operation, columns);
}

function jqPicker(text: string): Picker {
  const filter = attempt(
    () => filterFrom(text),
    (reason) => new UsageError(`--jq ${text}: ${reason}`),
  );
  return function* (result) {
    const found = attempt<unknown[]>(
      () => filter(result),
      (reason) => new CommandError(`--jq ${text}: ${reason}. The call itself succeeded`, 2),
    );
    for (const one of found) yield `${typeof one === "string" ? printable(one) : printableJson(JSON.stringify(one))}\n`;
  };
}

function attempt<T>(work: () => T, failed: (reason: string) => Error): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InvalidFilterError ? failed(error.message) : error;
  }
}

/**
 * The selection by `--columns`: a table with the given fields of each entry of a list, or of a single object. Fields of
 * nested objects are written as paths, such as `alerts.cpu`.
 */
function columnPicker(operation: Operation, text: string): Picker {
  const names = text.split(",").map((name) => name.trim());
  const columnNames = Object.keys(fieldsOf(entryOf(operation) ?? operation.result));
  const unknown = names.find(
    (name) => !name || (columnNames.length && !columnNames.includes(name.split(".")[0] ?? "")),
  );
  if (unknown !== undefined)
    throw new UsageError(`--columns ${text}: there is no field "${unknown}"${suggestion(unknown, columnNames)}`);
  return (result) => {
    const rows = entryOf(operation) && isObject(result) ? (result.data as Record<string, unknown>[]) : [result];
    return [`${rowsOf(names, rows)}\n`];
  };
}
