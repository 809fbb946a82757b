import { type Area, metaOf, type Operation } from "../../api";
import { doubtOf } from "../../provider/client/errors";
import { callNamed } from "../../provider/client/operation-calls";
import type { Page } from "../../provider/client/options";
import { limited } from "../../provider/client/pages";
import { printable } from "../../provider/client/printable";
import {
  ApiError,
  CancelledError,
  CloudInfra,
  ContractError,
  isInDoubt,
  LostResponseError,
  SettingError,
  UnreachableError,
} from "../../provider/client/public";
import { CommandError, UsageError } from "../../stack/errors";
import { printMessage } from "../say";
import { flagsOf } from "./flags";
import type { Named } from "./names";

export interface Connection {
  url?: string | undefined;
  token?: string | undefined;
  timeout?: string | undefined;
  verbose?: boolean | undefined;
}

type Flat = Readonly<Record<string, unknown>>;

/** Calls the API and prints the response. Ctrl-C cancels the call. */
export async function call(
  area: Named<Area>,
  operation: Named<Operation>,
  input: Flat,
  connection: Connection,
  all = false,
): Promise<unknown> {
  const client = clientOf(connection);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    const method = callNamed<Flat>(client, area.key, operation.key);
    return await (all
      ? everything(`${area.key}.${operation.key}`, method.all(input, { signal: stop.signal }))
      : method(input, { signal: stop.signal }));
  } catch (error) {
    throw failureOf(error, operation.value, stop.signal.aborted);
  } finally {
    process.off("SIGINT", interrupt);
    // After Ctrl-C, the API client is not closed, because closing waits for pending requests and would delay the exit.
    if (!stop.signal.aborted) await client.close();
  }
}

/** Combines all entries of a list to a single page, which counts the entries that were read. */
async function everything(name: string, entries: AsyncIterable<unknown>): Promise<Page<unknown>> {
  const data: unknown[] = [];
  const tooLarge = (what: string) =>
    new CommandError(
      `${name}: the entries of all pages ${what}; narrow the list with --filter, or read it page by page with --page`,
      3,
    );
  for await (const entry of limited(entries, tooLarge)) data.push(entry);
  return { data, page: 1, pages: 1, results: data.length };
}

function clientOf({ url, token, timeout = "120", verbose }: Connection): CloudInfra {
  if (!/^\d+(\.\d+)?$/.test(timeout) || Number(timeout) === 0)
    throw new UsageError(`--timeout ${timeout}: must be a number of seconds above 0`);
  const printLine = (message: string) => printMessage(printable(message));
  try {
    return new CloudInfra({
      url,
      token,
      userAgent: "cloudinfra-cli",
      timeoutMs: Number(timeout) * 1000,
      log: verbose ? { debug: printLine, info: printLine, warn: printLine } : { warn: printLine },
    });
  } catch (error) {
    throw error instanceof SettingError ? new UsageError(settingProblem(error)) : error;
  }
}

function settingProblem({ setting, problem }: SettingError): string {
  const env = `CLOUDINFRA_${setting.toUpperCase()}`;
  if (setting === "dialect") return `${env} ${problem}`;
  return `--${setting} or ${env} ${problem.replace(/pass it to new CloudInfra\(\{ \w+ \}\)/, `pass --${setting}`)}`;
}

/** Converts an error of the client to an error of the command line, with an exit code. */
function failureOf(error: unknown, operation: Operation, interrupted: boolean): unknown {
  if (interrupted) return new CommandError(isInDoubt(error) ? error.message : "interrupted", 130);
  if (error instanceof ApiError) return new CommandError(apiProblem(error, operation), 1);
  const isWithoutResponse = [LostResponseError, UnreachableError, ContractError, CancelledError].some(
    (kind) => error instanceof kind,
  );
  return isWithoutResponse ? new CommandError((error as Error).message.replace("cloudinfra:url", "--url"), 3) : error;
}

function apiProblem(error: ApiError, operation: Operation): string {
  const { operation: name, status, reasons, hint } = error;
  const flags = flagsOf(operation);
  const lines = reasons.map(({ field, reason }) => {
    const flag = flags.find(({ path, part }) => part !== "path" && path.join(".") === field);
    return field ? `${flag ? `--${flag.name}` : field}: ${reason}` : reason;
  });
  const details =
    lines.length > 1 ? `\n${lines.map((line) => `  ${line}`).join("\n")}` : ` ${lines[0] ?? "(no reason given)"}`;
  const advice = hint ? ` (${hint.replace("cloudinfra:token", "--token")})` : "";
  return `${name}: ${status}${details}${advice}${doubtOf(error)}`;
}

/** Whether the response is binary, so that a terminal cannot show it. */
export const returnsBytes = ({ result }: Operation): boolean => "contentType" in metaOf(result);
