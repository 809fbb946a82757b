import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";

/** A test as its source names it. */
export interface NamedTest {
  /** From the repository's root. */
  file: string;
  name: string;
}

/** What a constant of a test file holds: text, or a function that makes text of its arguments. */
type Value = string | number | boolean | Value[] | { [name: string]: Value } | ((...given: Value[]) => Value);
type Scope = Map<string, Value>;

/**
 * The names of all tests in a folder, read from the sources without running them. Names that constants and helpers
 * make, such as `${rule(5)}: …`, are worked out; what can't be is left as it is written, so that at worst a rule seems
 * to have no test.
 */
export function testNames(root: string, folder: string): NamedTest[] {
  const scopes = new Map<string, Scope>();
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`)
    .sort();
  return files.flatMap((file) => {
    const source = parsed(join(root, file));
    const found: NamedTest[] = [];
    collect(source, scopeOf(join(root, file), scopes), "", (name) => found.push({ file, name }));
    return found;
  });
}

const parsed = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);

/** What a file's own constants hold, and those that it imports from its neighbours. */
function scopeOf(file: string, scopes: Map<string, Scope>): Scope {
  const known = scopes.get(file);
  if (known) return known;
  const scope: Scope = new Map();
  scopes.set(file, scope);
  for (const statement of parsed(file).statements) {
    if (ts.isImportDeclaration(statement)) importInto(scope, statement, file, scopes);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const value = initializer && constant(initializer, scope);
      if (ts.isIdentifier(name) && value !== undefined) scope.set(name.text, value);
    }
  }
  return scope;
}

function importInto(
  scope: Scope,
  { moduleSpecifier, importClause }: ts.ImportDeclaration,
  file: string,
  scopes: Map<string, Scope>,
) {
  const from = (moduleSpecifier as ts.StringLiteral).text;
  const bindings = importClause?.namedBindings;
  // Helpers of tests lie beside them; what the product exports names no test.
  if (!/^\.\/[\w-]+$/.test(from) || !bindings || !ts.isNamedImports(bindings)) return;
  const neighbour = resolve(dirname(file), `${from}.ts`);
  if (!existsSync(neighbour)) return;
  const theirs = scopeOf(neighbour, scopes);
  for (const { name, propertyName } of bindings.elements) {
    const value = theirs.get((propertyName ?? name).text);
    if (value !== undefined) scope.set(name.text, value);
  }
}

/** Every `test(…)` and `test.each(…)(…)` below the node, under the names of the suites around it. */
function collect(node: ts.Node, scope: Scope, around: string, found: (name: string) => void): void {
  if (ts.isCallExpression(node)) {
    const { name, rows } = declared(node.expression, scope);
    const [title, ...rest] = node.arguments;
    if (name && title) {
      const titles = rows.map((row) => `${around}${titled(title, row, scope)}`);
      if (name === "test") for (const one of titles) found(one);
      else for (const one of titles) for (const inner of rest) collect(inner, scope, `${one} > `, found);
      return;
    }
  }
  ts.forEachChild(node, (inner) => collect(inner, scope, around, found));
}

/** Whether the call declares a test or a suite, and for which rows of a table; one without a table has a row of nothing. */
function declared(callee: ts.Expression, scope: Scope): { name?: "test" | "describe"; rows: Value[] } {
  if (ts.isIdentifier(callee))
    return callee.text === "test" || callee.text === "describe" ? { name: callee.text, rows: [[]] } : { rows: [] };
  if (ts.isPropertyAccessExpression(callee))
    return callee.name.text === "each" ? { rows: [] } : declared(callee.expression, scope);
  if (!ts.isCallExpression(callee) || !ts.isPropertyAccessExpression(callee.expression)) return { rows: [] };
  const { expression, name } = callee.expression;
  if (!ts.isIdentifier(expression) || (expression.text !== "test" && expression.text !== "describe"))
    return { rows: [] };
  const [table] = callee.arguments;
  const rows = name.text === "each" && table ? rowsOf(table, scope) : [[]];
  return { name: expression.text, rows };
}

/** A table's rows as far as they can be known; a table that is made at run time stands as one row. */
function rowsOf(table: ts.Expression, scope: Scope): Value[] {
  const list = bare(table);
  if (!ts.isArrayLiteralExpression(list)) return asList(constant(list, scope)) ?? [[]];
  return list.elements.map((row) => {
    const one = bare(row);
    if (!ts.isArrayLiteralExpression(one)) return constant(one, scope) ?? [];
    return one.elements.map((cell) => constant(cell, scope) ?? cell.getText());
  });
}

/** The title of a test for a row of its table: `%s` takes the next cell, `$name` a field. */
function titled(title: ts.Expression, row: Value, scope: Scope): string {
  const value = constant(title, scope);
  const text = typeof value === "string" ? value : title.getText();
  const cells = [...(asList(row) ?? [row])];
  return text.replace(/%[sdijfo]|\$([a-zA-Z]\w*)/g, (whole, field?: string) => {
    if (field === undefined) return cells.length > 0 ? shown(cells.shift()) : whole;
    return isRecord(row) && field in row ? shown(row[field]) : whole;
  });
}

const shown = (value: Value | undefined): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const asList = (value: Value | undefined): Value[] | undefined => (Array.isArray(value) ? value : undefined);
const isRecord = (value: Value): value is { [name: string]: Value } =>
  typeof value === "object" && !Array.isArray(value);

function bare(node: ts.Expression): ts.Expression {
  const wrapped = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node);
  return wrapped ? bare(node.expression) : node;
}

/** What an expression of constants comes to; undefined for every other. */
function constant(given: ts.Expression, scope: Scope): Value | undefined {
  const node = bare(given);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isIdentifier(node)) return scope.get(node.text);
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const value = constant(expression, scope);
      return `${typeof value === "string" || typeof value === "number" ? value : `\${${expression.getText()}}`}${literal.text}`;
    });
    return node.head.text + parts.join("");
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [constant(node.left, scope), constant(node.right, scope)];
    return typeof left === "string" && typeof right === "string" ? left + right : undefined;
  }
  if (ts.isCallExpression(node)) {
    const called = constant(node.expression, scope);
    const values = node.arguments.map((argument) => constant(argument, scope));
    return typeof called === "function" && !values.includes(undefined) ? called(...(values as Value[])) : undefined;
  }
  if (ts.isArrowFunction(node)) return functionOf(node, scope);
  if (ts.isArrayLiteralExpression(node)) {
    const values = node.elements.map((element) => constant(element, scope));
    return values.includes(undefined) ? undefined : (values as Value[]);
  }
  return ts.isObjectLiteralExpression(node) ? recordOf(node, scope) : undefined;
}

function functionOf({ parameters, body }: ts.ArrowFunction, scope: Scope): Value | undefined {
  if (ts.isBlock(body)) return undefined;
  return (...given) => {
    const names = parameters.map(({ name }) => name.getText());
    const inner = new Map([...scope, ...names.map((name, at) => [name, given[at] ?? ""] as const)]);
    return constant(body, inner) ?? body.getText();
  };
}

/** The fields that are constants: a title needs no more. */
function recordOf(node: ts.ObjectLiteralExpression, scope: Scope): Value {
  const record: { [name: string]: Value } = {};
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property)) continue;
    const value = constant(property.initializer, scope);
    if (value !== undefined) record[property.name.getText()] = value;
  }
  return record;
}
