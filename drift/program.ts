import { isObject } from "../api";
import { addressOf, kindNameIn } from "../stack/state";
import type { ProgramChange } from "./model";
import type { Scope } from "./scope";

/**
 * Operations in a preview that change something. Pulumi lists a replacement as `create-replacement`, `replace` and
 * `delete-replaced`, of which only `replace` is reported.
 */
const operations = ["create", "update", "replace", "delete"];

/**
 * The changes that a program would make to resources of this provider, according to the output of
 * `pulumi preview --json`.
 */
export function programChangesIn(preview: unknown, scope: Scope): ProgramChange[] {
  const steps = isObject(preview) && Array.isArray(preview.steps) ? preview.steps.filter(isObject) : [];
  return steps.flatMap(({ op, urn, detailedDiff, diffReasons }) => {
    const address = typeof urn === "string" ? addressOf(urn) : undefined;
    if (address === undefined || !operations.includes(String(op))) return [];
    if (!scope.covers(kindNameIn(address))) return [];
    const inputs = isObject(detailedDiff) ? Object.keys(detailedDiff) : Array.isArray(diffReasons) ? diffReasons : [];
    return [{ address, operation: String(op), inputs: inputs.map(String).sort() }];
  });
}
