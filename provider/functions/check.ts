import { z } from "zod";
import {
  breaches,
  camel,
  fieldsOf,
  isObject,
  metaOf,
  type Problem,
  pathNames,
  pathText,
  problemsOf,
  toWire,
  wireNameProblems,
} from "../../api";
import { CloudInfraError } from "../client/errors";
import { failureOf, withValue } from "../engine/problems";
import { type Bag, normalise } from "../engine/values";
import { isUnknownField, readFilter } from "./filter";
import type { ReadFunction } from "./functions";

/** A function was called with invalid arguments. The message lists all problems. */
export class InputError extends CloudInfraError {
  override readonly name = "InputError";

  constructor(
    readonly fn: string,
    readonly problems: readonly Problem[],
  ) {
    const texts = problems.map(({ path, reason }) => `${pathText(path)} ${reason}`.trimStart());
    super(`${fn}:${texts.length > 1 ? texts.map((text) => `\n  ${text}`).join("") : ` ${texts[0]}`}`);
  }
}

export interface Checked {
  /** The arguments under the API's names, with ids as numbers and with defaults. */
  inputs: Bag;
  /** Value of the header `X-Filter`; undefined without a filter. */
  filter?: Bag;
}

/** Validates the arguments of a function and converts them to the values that the API expects. */
export function checked(fn: ReadFunction, args: unknown): Checked {
  if (!isObject(args)) throw new InputError(fn.name, [{ path: [], reason: "must be called with an object" }]);
  const split = parents(fn, args);
  const inputs = normalise(fn.inputs, toWire(fn.inputs, split.args)) as Bag;
  const shape = problemsOf(z.safeParse(fn.inputs, inputs, { reportInput: true }).error?.issues ?? []);
  const invalid = new Set(shape.map(({ path }) => path[0]));
  const filtered = inputs.filter === undefined ? undefined : readFilter(fn.filters, inputs.filter);
  const problems = [
    ...wireNameProblems(fn.inputs, args),
    ...split.problems,
    ...[...shape, ...ruleProblems(fn, inputs, invalid), ...missingName(fn, inputs), ...missingOrder(fn, inputs)].map(
      (problem) => {
        const { path, reason, value } = failureOf(fn.inputs, inputs, problem);
        return { path, reason: withValue(reason, value) };
      },
    ),
    ...(filtered?.problems ?? []).map((problem) => ({
      ...problem,
      reason: `${problem.reason}${valueText(args, problem)}`,
    })),
  ];
  if (problems.length) throw new InputError(fn.name, problems);
  // The service requires a field to sort by if the order is descending.
  const by = inputs.order_by ?? (inputs.descending ? "id" : undefined);
  const order = {
    ...(by === undefined ? {} : { "+order_by": pathOf(fn, String(by)) }),
    ...(inputs.descending ? { "+order": "desc" } : {}),
  };
  const filter = { ...filtered?.filter, ...order };
  return Object.keys(filter).length ? { inputs, filter } : { inputs };
}

const pathOf = ({ filters }: ReadFunction, name: string): string => filters.get(name)?.path ?? name;

/**
 * Splits the ids of nested objects, which contain the ids of their parents: `7/12` is config 12 of instance 7. Programs
 * can pass such an id unchanged as any argument of the path. The function uses the last part, and rejects parents that
 * differ from the other arguments.
 */
function parents({ operation, inputs }: ReadFunction, args: Bag): { args: Bag; problems: Problem[] } {
  const names = pathNames(operation.path);
  const fields = fieldsOf(inputs);
  const ids = names.flatMap((name, position) => {
    const [field, value] = [fields[name], args[name]];
    if (!field || value === undefined || value === null) return [];
    const parts = String(value).split("/");
    const isNested = position > 0 && parts.length === position + 1 && !metaOf(field).slashes;
    return [{ name, value, position, parts: isNested ? parts : undefined }];
  });
  const nested = ids.flatMap(({ parts, ...id }) => (parts ? [{ ...id, parts }] : []));
  const pathParameters = Object.fromEntries([
    ...nested.flatMap(({ parts }) => parts.map((part, i) => [names[i], part])),
    ...ids.map(({ name, value, parts }) => [name, parts?.at(-1) ?? value]),
  ]);
  const problems = nested.flatMap(({ name, value, position, parts }) =>
    ids
      .filter((parent) => parent.position < position && !isWithin(parts, parent))
      .map((parent) => ({
        path: [name],
        reason: `"${value}" does not belong to ${parent.name} ${JSON.stringify(parent.value)}`,
      })),
  );
  return { args: { ...args, ...pathParameters }, problems };
}

/** Whether the parts of an id include the given id of a parent, which can itself contain the ids of its parents. */
const isWithin = (
  parts: readonly string[],
  parent: { value: unknown; position: number; parts?: string[] | undefined },
) => parent.parts?.every((part, i) => part === parts[i]) ?? parts[parent.position] === String(parent.value);

const ruleProblems = ({ rules }: ReadFunction, inputs: Bag, invalid: ReadonlySet<unknown>): Problem[] =>
  breaches(
    rules.filter(({ reads }) => !reads.some((key) => invalid.has(key))),
    inputs,
  ).map(({ field, reason }) => ({ path: field.split("."), reason }));

/**
 * Reports a problem unless exactly one of id and name is set, because the function finds the object by either of them.
 */
function missingName({ lookup }: ReadFunction, inputs: Bag): Problem[] {
  if (!lookup) return [];
  const [byId, byName] = [inputs[lookup.id] !== undefined, inputs[lookup.by] !== undefined];
  if (byId && byName) return [{ path: [lookup.by], reason: `cannot be set together with ${lookup.id}` }];
  return byId || byName ? [] : [{ path: [lookup.id], reason: `is required unless ${camel(lookup.by)} is set` }];
}

const missingOrder = ({ sortFields }: ReadFunction, { descending, order_by }: Bag): Problem[] =>
  descending === true && order_by === undefined && !sortFields.includes("id")
    ? [{ path: ["descending"], reason: `requires orderBy, which can be ${sortFields.map(camel).join(", ")}` }]
    : [];

function valueText(args: Bag, problem: Problem): string {
  if (isUnknownField(problem)) return "";
  const value = problem.path.reduce((inner: unknown, key) => (inner as Record<string | number, unknown>)?.[key], args);
  return value === undefined ? "" : ` (given ${JSON.stringify(value).slice(0, 100)})`;
}
