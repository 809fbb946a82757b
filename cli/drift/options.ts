import type { Command } from "commander" with { "resolution-mode": "import" };
import type { ScopeOptions } from "../../drift";
import type { KindName } from "../../provider/resources";
import { UsageError } from "../../stack/errors";
import { collect, timeLimit } from "../options";
import type { Selection } from "./backend";

export interface DriftCommand extends Selection {
  format: string[];
  out: string[];
  ignoreKind: string[];
  baseline?: string;
  timeout: string;
  watch?: string | true;
  every?: string;
  listen?: string;
  acceptAllDeleted: boolean;
}

/** Adds the options of `cloudinfra drift` to the command. Their values are checked when it runs. */
export function addDriftOptions(command: Command): Command {
  return command
    .option("--stack <name>", "stack to check; repeatable; defaults to the selected one", collect, [])
    .option(
      "--state <file>",
      "file that pulumi stack export wrote, to check instead of a stack, without the Pulumi CLI; repeatable",
      collect,
      [],
    )
    .option(
      "--all-stacks",
      "check all stacks of the backend, each at the address of its last update, with a token of its account; an account is read once for all its stacks",
      false,
    )
    .option(
      "--project <name>",
      'with --all-stacks: project whose stacks are checked, or a pattern such as "shop-*", which implies --all-stacks; otherwise the same as --cwd',
    )
    .option("--unmanaged", "also list the objects that no stack manages", false)
    .option(
      "--ignore-kind <kind>",
      "kind, such as Volume, whose objects and resources are neither read nor reported; repeatable",
      collect,
      [],
    )
    .option("--cwd <folder>", 'folder of the Pulumi project, with the allow-list if there is one (default: ".")')
    .option(
      "--format <format>",
      "format of the report: text, json, markdown, junit, sarif or html; repeatable",
      collect,
      [],
    )
    .option(
      "--out <file>",
      "file for a format, in the order of the formats; repeatable; one format may have no file and is printed",
      collect,
      [],
    )
    .option(
      "--program",
      "also report program changes that are not applied yet; requires what pulumi preview requires",
      false,
    )
    .option(
      "--watch [seconds]",
      "repeat the check until Ctrl-C or a rejected token, by default each minute (requires a terminal or --every)",
    )
    .option(
      "--every <duration>",
      "with --watch: run as a service that checks at this interval, such as 5m, with metrics, health and alerts",
    )
    .option("--listen <address>", "with --every: host and port of metrics and health; defaults to 127.0.0.1:4109")
    .option("--baseline <file>", "earlier JSON report, whose findings are accepted until they change")
    .option(...timeLimit)
    .option(
      "--accept-all-deleted",
      "report missing objects as deleted even if more than three are checked and none exists, or if the token's user is restricted",
      false,
    );
}

/** The options that limit a check or extend it. Throws a `UsageError` for a kind that does not exist. */
export async function scopeOf({ unmanaged, ignoreKind }: DriftCommand): Promise<ScopeOptions> {
  return { unmanaged, ignoreKinds: await kindsOf("--ignore-kind", ignoreKind) };
}

/** The kinds that an option names. The definitions are loaded only here, because `--help` does not need them. */
async function kindsOf(option: string, names: readonly string[]): Promise<readonly KindName[]> {
  const { KindError, kindsNamed } = await import("../../drift/index.js");
  try {
    return kindsNamed(names);
  } catch (error) {
    throw error instanceof KindError ? new UsageError(`${option}: ${error.message}`) : error;
  }
}
