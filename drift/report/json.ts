import { z } from "zod";
import { pathText, problemsOf } from "../../api";
import { printableJson } from "../../provider/client/printable";
import { ReportError } from "../errors";
import { DriftReport } from "../model";

/** Formats a report as JSON, for programs. `drift.schema.json` describes the format. */
export const json = (report: DriftReport): string => `${printableJson(JSON.stringify(report, undefined, 2))}\n`;

/** Parses the report of an earlier check. `name` is the name of the file for error messages. */
export function reportIn(text: string, name: string): DriftReport {
  const parsed = z.safeParse(DriftReport, parsedJson(text, name));
  if (parsed.success) return parsed.data;
  const [first] = problemsOf(parsed.error.issues);
  const problem = first ? ` (${pathText(first.path)} ${first.reason})` : "";
  throw new ReportError(`${name} is not a report of "cloudinfra drift --format json"${problem}`);
}

function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReportError(`${name} is not complete JSON; create it with "cloudinfra drift --format json"`);
  }
}
