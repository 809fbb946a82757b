import { posix } from "node:path";
import type { AnyNode, ImportDeclaration, Program } from "acorn";
import { isKindName } from "../account/kinds";
import type { KindName } from "../provider/resources";
import { libraries } from "../stack/migration";
import { unique } from "./identifiers";
import {
  type Binding,
  bindingsIn,
  configIn,
  isImport,
  isTypeOnly,
  loadsIn,
  namesIn,
  type Parse,
  parser,
  resourcesIn,
  secretKeysIn,
} from "./syntax";

/** A resource that a file of the project declares. */
export interface Declared {
  kind: KindName;
  name: string;
  file: string;
  /** The variable of the resource in its own file, and the name that other files can import. */
  variable?: string | undefined;
  exported?: string | undefined;
}

const isLibrary = (module: string): boolean => Object.values(libraries).includes(module);

export const declaredKey = (kind: string, name: string): string => `${kind} ${name}`;

const PULUMI = "@pulumi/pulumi";

/** The TypeScript files of a project, to which declarations are added. */
export class Sources {
  readonly #files: Map<string, SourceFile>;

  private constructor(
    files: readonly SourceFile[],
    private readonly parse: Parse,
  ) {
    this.#files = new Map(files.map((file) => [file.name, file]));
  }

  static async of(files: ReadonlyMap<string, string>): Promise<Sources> {
    const parse = await parser();
    const own = [...files].filter(([name]) => name.endsWith(".ts"));
    return new Sources(
      own.map(([name, text]) => new SourceFile(name, text, parse(name, text))),
      parse,
    );
  }

  /** A file, which is empty if the project does not have it yet. */
  file(name: string): SourceFile {
    const file = this.#files.get(name) ?? new SourceFile(name, "", this.parse(name, ""));
    this.#files.set(name, file);
    return file;
  }

  /**
   * The resources that the files declare, by class and name. If two have the same class and name, the first one is
   * used.
   */
  get declared(): Map<string, Declared> {
    const all = [...this.#files.values()].flatMap(({ declared }) => declared);
    return new Map(all.reverse().map((one) => [declaredKey(one.kind, one.name), one]));
  }

  /** All names that the files declare or import, so that new variables get other names. */
  get names(): Set<string> {
    return new Set([...this.#files.values()].flatMap(({ names }) => [...names]));
  }

  /** The names of the files that a file loads, itself or through others. */
  loadedFrom(name: string, found = new Set<string>()): Set<string> {
    for (const module of this.#files.get(name)?.loads ?? []) {
      const file = `${posix.normalize(withoutEnding(module))}.ts`;
      // Other modules, such as Node's `dns`, can have the name of a file.
      if (!module.startsWith(".") || found.has(file)) continue;
      found.add(file);
      this.loadedFrom(file, found);
    }
    return found;
  }

  /** The configuration keys from which the files read secrets. */
  get secretKeys(): Set<string> {
    return new Set([...this.#files.values()].flatMap(({ secretKeys }) => secretKeys));
  }
}

interface Added {
  name: string;
  local: string;
}

/** Text to insert, or to put in the place of the text up to `end`. */
interface Edit {
  at: number;
  end?: number;
  text: string;
}

/** A TypeScript file to which declarations and imports are added. The rest of its text is unchanged. */
export class SourceFile {
  readonly names: ReadonlySet<string>;
  readonly declared: readonly Declared[];
  /** The modules from which the file imports or exports values. */
  readonly loads: readonly string[];
  readonly secretKeys: readonly string[];
  readonly #bindings: ReadonlyMap<string, Binding>;
  readonly #taken: Set<string>;
  readonly #added = new Map<string, Added[]>();
  #config: string | undefined;
  /** Statements to add after the imports and at the end. */
  readonly #statements: string[] = [];
  readonly #declarations: string[] = [];

  constructor(
    readonly name: string,
    private readonly before: string,
    private readonly program: Program,
  ) {
    this.names = namesIn(program);
    this.loads = loadsIn(program);
    this.secretKeys = secretKeysIn(program);
    this.declared = resourcesIn(program).flatMap(({ kind, module, ...rest }) =>
      isKindName(kind) && isLibrary(module) ? [{ ...rest, kind, file: name }] : [],
    );
    this.#bindings = bindingsIn(program);
    this.#taken = new Set(this.names);
    this.#config = configIn(program);
  }

  reserve(names: Iterable<string>): void {
    for (const name of names) this.#taken.add(name);
  }

  /** The expression for an export of another module, such as `web` or `compute.web`. Imports it if necessary. */
  use(module: string, exported: string): string {
    const moduleBindings = [...this.#bindings].filter(([, one]) => !one.isType && sameModule(one.module, module));
    const [named] = moduleBindings.find(([, one]) => one.exported === exported) ?? [];
    if (named !== undefined) return named;
    const [all] = moduleBindings.find(([, one]) => one.exported === "*") ?? [];
    if (all !== undefined) return `${all}.${exported}`;
    const added = this.#added.get(module) ?? [];
    this.#added.set(module, added);
    const existing = added.find(({ name }) => name === exported);
    if (existing) return existing.local;
    const local = unique(exported === "*" ? "pulumi" : exported, this.#taken);
    added.push({ name: exported, local });
    return local;
  }

  /** The variable that contains the configuration of the project. Declares it if necessary. */
  config(): string {
    if (this.#config !== undefined) return this.#config;
    const isConfig = (one: Binding): boolean => one.module === PULUMI && one.exported === "Config" && !one.isType;
    const [configVariable] = [...this.#bindings].find(([, one]) => isConfig(one)) ?? [];
    const type = configVariable ?? `${this.use(PULUMI, "*")}.Config`;
    this.#config = unique("config", this.#taken);
    this.#statements.push(`const ${this.#config} = new ${type}()${this.#end}`);
    return this.#config;
  }

  append(declarations: readonly string[]): void {
    this.#declarations.push(...declarations);
  }

  /** Adds an import without names, unless the file already loads the module. */
  run(module: string): void {
    const exists = this.loads.some((loaded) => sameModule(loaded, module));
    if (!exists && !this.#added.has(module)) this.#added.set(module, []);
  }

  /** The text of the file with all additions. */
  get text(): string {
    const edits: Edit[] = [];
    const [first, rest]: [string[], string[]] = [[], []];
    for (const [module, added] of [...this.#added].sort(byUse)) {
      const statement = added.length ? this.#imports.find((one) => canExtend(one, module)) : undefined;
      if (statement) edits.push(...this.#extended(statement, added));
      else (module === PULUMI ? first : rest).push(this.#importOf(module, added));
    }
    const start = /^\uFEFF?(?:#![^\n]*\n)?/.exec(this.before)?.[0].length ?? 0;
    const end = this.#endOfImports;
    if (end === undefined) {
      const text = [[...first, ...rest].join("\n"), ...this.#statements].filter(Boolean).join("\n\n");
      if (text) edits.push({ at: start, text: `${text}${this.before.trim() ? "\n\n" : "\n"}` });
    } else {
      if (first.length) edits.push({ at: this.#imports[0]?.start ?? start, text: `${first.join("\n")}\n` });
      const statements = this.#statements.map((text) => `\n\n${text}`).join("");
      const hasBlankLine = /^\s*$|^\s*?\n\s*?\n/.test(this.before.slice(end));
      const gap = statements && !hasBlankLine ? "\n" : "";
      edits.push({ at: end, text: `${rest.map((line) => `\n${line}`).join("")}${statements}${gap}` });
    }
    const eol = this.before.includes("\r\n") ? "\r\n" : "\n";
    const text = applied(this.before, edits, eol);
    if (!this.#declarations.length) return text;
    return `${text.trimEnd()}${`\n\n${this.#declarations.join("\n\n")}\n`.replaceAll("\n", eol)}`;
  }

  get #imports(): ImportDeclaration[] {
    return (this.program.body as AnyNode[]).filter((one) => one.type === "ImportDeclaration");
  }

  /** The end of the line with the last import, so that a comment on that line stays where it is. */
  get #endOfImports(): number | undefined {
    const last = (this.program.body as AnyNode[]).findLast(isImport);
    if (!last) return undefined;
    const [comment = ""] =
      /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*\*\/[ \t]*(?=\r?\n|$))/.exec(this.before.slice(last.end)) ?? [];
    return last.end + comment.length;
  }

  /** The end of a statement in the style of the file: a semicolon, unless the imports have none. */
  get #end(): string {
    const last = this.#imports.at(-1);
    return last && this.before[last.end - 1] !== ";" ? "" : ";";
  }

  /** An import statement in the style of Prettier and Biome, with the quotes and semicolons of the file. */
  #importOf(module: string, added: readonly Added[]): string {
    const quote = this.#imports[0]?.source.raw?.[0] ?? '"';
    const from = `${quote}${module}${quote}${this.#end}`;
    const [all] = added.filter(({ name }) => name === "*");
    if (all) return `import * as ${all.local} from ${from}`;
    if (!added.length) return `import ${from}`;
    const names = [...added].sort((a, b) => byName(a.name, b.name)).map(specifierOf);
    const line = `import { ${names.join(", ")} } from ${from}`;
    return line.length <= WIDTH ? line : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from ${from}`;
  }

  /** The edits that add names to an import statement: in alphabetical order if its names are, otherwise at the end. */
  #extended(statement: ImportDeclaration, added: readonly Added[]): Edit[] {
    const existing = statement.specifiers.filter(({ type }) => type === "ImportSpecifier");
    const existingNames = existing.map((one) => this.before.slice(one.start, one.end));
    const isSorted = existingNames.every((name, i) => i === 0 || byName(existingNames[i - 1] ?? "", name) <= 0);
    const [start = 0, end = 0] = [existing[0]?.start, existing.at(-1)?.end];
    const [open, close] = [this.before.lastIndexOf("{", start), this.before.indexOf("}", end)];
    const content = this.before.slice(open + 1, close);
    const line = this.before.slice(this.before.lastIndexOf("\n", start) + 1, start);
    const isOnLines = content.includes("\n");
    const sorted = [...added].sort((a, b) => byName(a.name, b.name));
    const length = statement.end - statement.start + sorted.reduce((all, one) => all + specifierOf(one).length + 2, 0);
    if (!isOnLines && length > WIDTH && statement.end - statement.start <= WIDTH && !/\/[/*]/.test(content)) {
      const all = [...existingNames, ...sorted.map(specifierOf)];
      if (isSorted) all.sort(byName);
      return [{ at: open + 1, end: close, text: `\n${all.map((name) => `  ${name},\n`).join("")}` }];
    }
    const indent = /^\s*$/.test(line) ? line : "  ";
    const gap = isOnLines ? `,\n${indent}` : ", ";
    return sorted.map((one) => {
      const next = isSorted ? existing.find((_, i) => byName(existingNames[i] ?? "", specifierOf(one)) > 0) : undefined;
      return next
        ? { at: next.start, text: `${specifierOf(one)}${gap}` }
        : { at: end, text: `${gap}${specifierOf(one)}` };
    });
  }
}

const WIDTH = 80;

const specifierOf = ({ name, local }: Added): string => (name === local ? name : `${name} as ${local}`);

/** Whether names can be added to an import statement: it imports names of the module as values. */
const canExtend = (statement: ImportDeclaration, module: string): boolean =>
  sameModule(String(statement.source.value), module) &&
  !isTypeOnly(statement) &&
  statement.specifiers.some(({ type }) => type === "ImportSpecifier");

/** Whether two texts name the same module. `./dns`, `./dns.js` and `./dns.ts` do. */
const sameModule = (a: string, b: string): boolean => a === b || withoutEnding(a) === withoutEnding(b);

const withoutEnding = (module: string): string =>
  module.startsWith(".") ? module.replace(/\.[cm]?[jt]s$/, "") : module;

/** Packages come before files, and files in the order of their names unless they are imported without names. */
const byUse = ([a, names]: [string, Added[]], [b, others]: [string, Added[]]): number =>
  Number(a.startsWith(".")) - Number(b.startsWith(".")) || (names.length && others.length && byName(a, b));

const byName = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : 1);

const collator = new Intl.Collator("en", { numeric: true, caseFirst: "upper" });

/** Applies edits to a text. Edits at the same position are applied in their order. */
function applied(text: string, edits: readonly Edit[], eol: string): string {
  let [result, from] = ["", 0];
  for (const { at, end = at, text: added } of edits.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(from, at) + added.replaceAll("\n", eol);
    from = end;
  }
  return result + text.slice(from);
}
