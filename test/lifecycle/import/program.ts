import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import type { Bag } from "../../../provider/engine/values";
import type { KindName } from "../../../provider/resources";

export interface DeclaredResource {
  kind: KindName;
  name: string;
  inputs: Bag;
}

/**
 * Runs an imported program with fake resource classes that record the declared inputs. References to other resources
 * become the ids and outputs in `resources` (key: class and name), and secrets in `ignoreChanges` are removed.
 */
export function declaredBy(
  files: ReadonlyMap<string, string>,
  resources: ReadonlyMap<string, { id: string; outs: object }>,
): DeclaredResource[] {
  const declared: DeclaredResource[] = [];
  const library = new Proxy(
    {},
    {
      get: (_, kind: KindName) =>
        class {
          readonly id: string;
          constructor(name: string, inputs: Bag) {
            declared.push({ kind, name, inputs: JSON.parse(JSON.stringify(inputs)) as Bag });
            const resource = resources.get(`${kind} ${name}`);
            if (!resource) throw new Error(`${kind} ${name} is declared but not in the state`);
            Object.assign(this, resource.outs);
            this.id = resource.id;
          }
        },
    },
  );
  class Config {
    requireSecret = () => undefined;
    requireSecretObject = () => undefined;
  }
  const loaded = new Map<string, object>();
  const load = (name: string): object => {
    if (name.startsWith("pulumi-cloudinfra")) return library;
    if (name === "@pulumi/pulumi") return { Config };
    const file = `${name.replace("./", "")}.ts`;
    const known = loaded.get(file);
    if (known) return known;
    const exports = {};
    loaded.set(file, exports);
    const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.CommonJS };
    const { outputText } = transpileModule(files.get(file) ?? "", { compilerOptions });
    new Function("require", "exports", outputText)(load, exports);
    return exports;
  };
  load("./index");
  return declared;
}
