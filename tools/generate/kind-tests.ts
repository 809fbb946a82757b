import { kebab } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { type Files, MARK } from "./mark";

/** Generates test/lifecycle/kinds/index.ts, which imports the test data of every resource class. */
export function kindTestsFile(kinds: Record<string, Kind>): Files {
  const files = Object.keys(kinds)
    .map((name) => [kebab(name), name])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return {
    "test/lifecycle/kinds/index.ts": `${MARK}
import type { KindName } from "../../../provider/resources";
import type { KindTests } from "../fixture";
${files.map(([file, name]) => `import * as ${name} from "./${file}";`).join("\n")}

/** The test cases of each kind, from its file in this folder. */
export const kindTests: { [K in KindName]: KindTests<K> } = {
${files.map(([, name]) => `  ${name},`).join("\n")}
};
`,
  };
}
