import type { AnyNode, Program } from "acorn";
import { ProjectError } from "./project-error";

export type Parse = (file: string, text: string) => Program;

/** Loads the parser, which only imports into existing projects need. */
export async function parser(): Promise<Parse> {
  const [{ Parser }, { tsPlugin }] = await Promise.all([import("acorn"), import("@sveltejs/acorn-typescript")]);
  const TypeScriptParser = Parser.extend(tsPlugin());
  return (file, text) => {
    try {
      return TypeScriptParser.parse(text, { sourceType: "module", ecmaVersion: "latest" });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const { line } = (error as SyntaxError & { loc?: { line: number } }).loc ?? { line: 1 };
      const reason = error.message.replace(/ \(\d+:\d+\)$/, "");
      throw new ProjectError(
        `${file}, line ${line}: ${reason}. An import adds declarations to the files of the project; correct this file and run the command again`,
      );
    }
  };
}

/** The export that a name in a file refers to, `*` for all of its exports. */
export interface Binding {
  module: string;
  exported: string;
  /** Whether the name can only be used as a type. */
  isType: boolean;
}

/** A resource that a file declares outside of functions and classes. */
export interface ResourceSyntax {
  /** Name of the class, such as `Instance`, and the module that exports it. */
  kind: string;
  module: string;
  name: string;
  /** The constant or variable that contains the resource, and the name under which the file exports it. */
  variable?: string | undefined;
  exported?: string | undefined;
}

export function bindingsIn({ body }: Program): Map<string, Binding> {
  const found = new Map<string, Binding>();
  for (const statement of body as AnyNode[]) {
    if (statement.type === "ImportDeclaration")
      for (const specifier of statement.specifiers)
        found.set(specifier.local.name, {
          module: String(statement.source.value),
          exported: specifier.type === "ImportSpecifier" ? identifierName(specifier.imported) : "*",
          isType: isTypeOnly(statement) || isTypeOnly(specifier),
        });
    const required = requiredBy(statement);
    if (required) found.set(required.local, { module: required.module, exported: "*", isType: isTypeOnly(statement) });
  }
  return found;
}

/**
 * The modules that a file loads, by statements or, perhaps only under a condition, by `import()` and `require()`.
 * TypeScript removes imports and exports of types, and imports whose names are not used as values.
 */
export function loadsIn(program: Program): string[] {
  const values = valueNamesIn(program);
  const named = [...bindingsIn(program)].filter(([name, { isType }]) => !isType && values.has(name));
  const loads = named.map(([, { module }]) => module);
  const add = (node: AnyNode): void => {
    const source = unnamedSourceOf(node);
    const module = source ? textOf(source) : undefined;
    if (module !== undefined) loads.push(module);
  };
  visit(program, add, isTypeOnly);
  return loads;
}

/** The names that a file uses as values, whatever they refer to. A name of a property is none. */
function valueNamesIn(program: Program): Set<string> {
  const names = new Set<string>();
  const propertyNames = new Set<AnyNode>();
  const add = (node: AnyNode): void => {
    if (node.type === "MemberExpression" && !node.computed) propertyNames.add(node.property);
    if (node.type === "Property" && !node.computed && !node.shorthand) propertyNames.add(node.key);
    if (node.type === "Identifier" && !propertyNames.has(node)) names.add(node.name);
  };
  visit(program, add, (node) => isImport(node) || isTypeOnly(node) || isType(node));
  return names;
}

/** The expression for the module that a statement or a call loads without an import of names. */
function unnamedSourceOf(node: AnyNode): AnyNode | null | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return node.specifiers.length ? undefined : node.source;
    case "ExportNamedDeclaration":
      return node.specifiers.every(isTypeOnly) ? undefined : node.source;
    case "ExportAllDeclaration":
    case "ImportExpression":
      return node.source;
    case "CallExpression":
      return node.callee.type === "Identifier" && node.callee.name === "require" ? node.arguments[0] : undefined;
  }
}

/** Whether an import, an export or one of its names is marked with `type`, so that it cannot be used as a value. */
export function isTypeOnly(node: AnyNode): boolean {
  const { importKind, exportKind } = node as { importKind?: string; exportKind?: string };
  return importKind === "type" || exportKind === "type";
}

/** The name and the module of `import name = require("module")`. */
function requiredBy(statement: AnyNode): { local: string; module: string } | undefined {
  // The types of the parser describe only the syntax of JavaScript.
  const { type, id, moduleReference } = statement as unknown as {
    type: string;
    id: { name: string };
    moduleReference?: { expression?: AnyNode };
  };
  const module = moduleReference?.expression && textOf(moduleReference.expression);
  return type === "TSImportEqualsDeclaration" && module !== undefined ? { local: id.name, module } : undefined;
}

export function namesIn(program: Program): Set<string> {
  const names = new Set(bindingsIn(program).keys());
  const add = (pattern: AnyNode | null | undefined): void => {
    if (!pattern) return;
    if (pattern.type === "Identifier") names.add(pattern.name);
    else if (pattern.type !== "MemberExpression")
      for (const part of childrenOf(pattern, ["value", "argument", "left", "elements", "properties"])) add(part);
  };
  visit(program, (node) => {
    if (node.type === "VariableDeclarator") add(node.id);
    else if (isDeclaration(node)) add((node as { id?: AnyNode | null }).id);
    else if (node.type === "ExportSpecifier") names.add(identifierName(node.exported));
  });
  return names;
}

const isDeclaration = ({ type }: AnyNode): boolean =>
  /^(?:Function|Class|TSEnum|TSModule|TSInterface|TSTypeAlias|TSDeclareFunction)/.test(type);

/** The resources that a file declares, in the order of the file. */
export function resourcesIn(program: Program): ResourceSyntax[] {
  const bindings = bindingsIn(program);
  const exported = exportsIn(program);
  const variables = new Map(variablesOf(program).flatMap(([name, value]) => (value ? [[value, name] as const] : [])));
  const found: ResourceSyntax[] = [];
  const add = (node: AnyNode): void => {
    if (node.type !== "NewExpression") return;
    const [kind, name] = [bindingOf(node.callee, bindings), node.arguments[0] && textOf(node.arguments[0])];
    if (!kind || kind.isType || name === undefined) return;
    const variable = variables.get(node);
    found.push({
      kind: kind.exported,
      module: kind.module,
      name,
      variable,
      exported: variable === undefined ? undefined : exported.get(variable),
    });
  };
  visit(program, add, isFunction);
  return found;
}

/** The variable that contains the configuration of the project, as in `const config = new pulumi.Config()`. */
export function configIn(program: Program): string | undefined {
  const bindings = bindingsIn(program);
  const [name] =
    variablesOf(program).find(([, value]) => {
      if (value?.type !== "NewExpression" || value.arguments.length) return false;
      const { module, exported } = bindingOf(value.callee, bindings) ?? {};
      return module === "@pulumi/pulumi" && exported === "Config";
    }) ?? [];
  return name;
}

/** The configuration keys from which a file reads secrets, as in `config.requireSecret("password")`. */
export function secretKeysIn(program: Program): string[] {
  const keys: string[] = [];
  visit(program, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { property } = node.callee;
    const key = node.arguments[0] && textOf(node.arguments[0]);
    if (property.type === "Identifier" && /^(?:require|get)Secret/.test(property.name) && key !== undefined)
      keys.push(key);
  });
  return keys;
}

/** The variables that the statements of a file declare, each with its value. */
const variablesOf = ({ body }: Program): [name: string, value: AnyNode | undefined][] =>
  (body as AnyNode[])
    .map((statement): AnyNode | null | undefined =>
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement,
    )
    .flatMap((statement) => (statement?.type === "VariableDeclaration" ? statement.declarations : []))
    .flatMap(({ id, init }): [string, AnyNode | undefined][] =>
      id.type === "Identifier" ? [[id.name, init ? withoutTypeAssertions(init) : undefined]] : [],
    );

/** The names under which a file exports its variables, by variable. */
function exportsIn({ body }: Program): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of body) {
    if (statement.type !== "ExportNamedDeclaration" || statement.source) continue;
    for (const { local, exported } of statement.specifiers) found.set(identifierName(local), identifierName(exported));
    if (statement.declaration?.type !== "VariableDeclaration") continue;
    for (const { id } of statement.declaration.declarations) if (id.type === "Identifier") found.set(id.name, id.name);
  }
  return found;
}

/** The imported name that an expression such as `Instance` or `cloudinfra.Instance` consists of. */
function bindingOf(expression: AnyNode, bindings: ReadonlyMap<string, Binding>): Binding | undefined {
  if (expression.type === "Identifier") return bindings.get(expression.name);
  if (expression.type !== "MemberExpression" || expression.object.type !== "Identifier") return undefined;
  const all = bindings.get(expression.object.name);
  const { property } = expression;
  return all?.exported === "*" && !expression.computed && property.type === "Identifier"
    ? { ...all, exported: property.name }
    : undefined;
}

/** The value of a text in quotes of any kind. */
function textOf(node: AnyNode): string | undefined {
  const value = withoutTypeAssertions(node);
  if (value.type === "TemplateLiteral" && !value.expressions.length) return value.quasis[0]?.value.cooked ?? undefined;
  return value.type === "Literal" && typeof value.value === "string" ? value.value : undefined;
}

/** An expression without the type in `value as T`, `value satisfies T`, `<T>value` or `value!`. */
function withoutTypeAssertions(node: AnyNode): AnyNode {
  const { type, expression } = node as { type: string; expression?: AnyNode };
  return /^TS|^ParenthesizedExpression$/.test(type) && expression ? withoutTypeAssertions(expression) : node;
}

const identifierName = (node: AnyNode): string =>
  node.type === "Identifier" ? node.name : String((node as { value?: unknown }).value);

/** Whether a node is a statement such as `import { name } from "module"` or `import name = require("module")`. */
export const isImport = ({ type }: AnyNode): boolean => /^(?:TS)?Import(?:Equals)?Declaration$/.test(type);

const isType = ({ type }: AnyNode): boolean => /^TS(?:Type(?!Assertion)|Interface|ExpressionWithType)/.test(type);

const isFunction = ({ type }: AnyNode): boolean => /Function|^Class/.test(type);

/** Calls the function for all nodes below a node, but not for the nodes that `skips` matches and those below them. */
function visit(node: AnyNode, visitor: (node: AnyNode) => void, skips: (node: AnyNode) => boolean = () => false): void {
  for (const child of childrenOf(node)) {
    if (skips(child)) continue;
    visitor(child);
    visit(child, visitor, skips);
  }
}

function childrenOf(node: AnyNode, keys?: readonly string[]): AnyNode[] {
  const values = Object.entries(node).flatMap(([key, value]) =>
    keys && !keys.includes(key) ? [] : [value as unknown],
  );
  return values.flat().filter(isNode);
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;
