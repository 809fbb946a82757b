import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./mutants";

const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };

const known = new Map<string, readonly string[]>();

/** The modules of this repository that a file imports, by their paths in it. An import of types loads no module. */
function importsOf(file: string): readonly string[] {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
}

function readImports(file: string): string[] {
  const { outputText } = ts.transpileModule(readFileSync(join(root, file), "utf8"), { compilerOptions });
  return ts.preProcessFile(outputText, true, true).importedFiles.flatMap(({ fileName }) => {
    const path = join(dirname(file), fileName.replace(/\.js$/, ""));
    const found = [`${path}.ts`, `${path}/index.ts`].find((candidate) => existsSync(join(root, candidate)));
    return fileName.startsWith(".") && found ? [found] : [];
  });
}

/** The modules that a file loads, also those that its imports load, and those that a function imports when it runs. */
export function loadedBy(file: string): ReadonlySet<string> {
  const loaded = new Set([file]);
  // The loop also visits what is added meanwhile.
  for (const module of loaded) for (const imported of importsOf(module)) loaded.add(imported);
  return loaded;
}
