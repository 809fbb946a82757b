import * as contract from "../../../api";
import { MARK } from "../mark";
import { areasText } from "./areas";
import { Records } from "./records";

/**
 * Generates the client's types from the schemas in `api/`, as plain TypeScript, so that hover texts show fields instead
 * of schema types.
 */
export function clientFiles(operations: Record<string, contract.Area> = contract.operations): Record<string, string> {
  const records = new Records(contract);
  const areas = areasText(operations, records);
  const mark = MARK.replace("schema.json", "the contract");
  const code = areas.replace(/\/\*\*[\s\S]*?\*\/|"[^"]*"/g, "");
  const used = records.names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  const imports = [
    `import type { ${["CallOptions", "FilterOn", "List", "ListOf"].filter((name) => areas.includes(name)).join(", ")} } from "../options";`,
    `import type { ${used.sort(byName).join(", ")} } from "./records";`,
  ];
  return {
    "provider/client/generated/areas.ts": `${mark}${imports.join("\n")}\n\n${areas}`,
    "provider/client/generated/records.ts": `${mark}\n${records.text()}`,
  };
}

/** Compares names without regard to case, which is the order that the linter requires in imports. */
const byName = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
