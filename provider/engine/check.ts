import { z } from "zod";
import {
  catalogued,
  certainProblems,
  fieldsOf,
  isRequired,
  isWithin,
  type Problem,
  problemOf,
  problemsOf,
} from "../../api";
import { isEqual } from "./comparison";
import type { CreateCheck, Kind } from "./definition";
import { diff } from "./diff";
import type { Host } from "./host";
import { autoname, type Random, withConfiguredDefaults } from "./naming";
import { type Failure, failureOf } from "./problems";
import { roundInputs } from "./round";
import { withTimeLimit } from "./time-limits";
import { unsupportedProblems } from "./unsupported";
import { type Bag, containsUnknown, isUnknown, normalise, pick, unknownAt, valueAt } from "./values";

export interface Checked {
  inputs: Bag;
  /** Whether the object's name was generated, because the program omits it. */
  autonamed: boolean;
  /** All problems, each with the path of the property that it is about, what is allowed and the given value. */
  failures: Failure[];
  warnings: string[];
}

/**
 * Validates the inputs of a program, adds names and defaults, and converts and rounds values as the API does. Values
 * that are unknown in a preview are not validated.
 */
export const check = (kind: Kind, host: Host, name: string, olds: Bag, news: Bag, random?: Random): Promise<Checked> =>
  withTimeLimit({ kind, host, operation: "check", name: () => `${kind.name} "${name}"` }, (host) =>
    checkInputs(kind, host, name, olds, news, random),
  );

async function checkInputs(
  kind: Kind,
  host: Host,
  name: string,
  olds: Bag,
  news: Bag,
  random: Random | undefined,
): Promise<Checked> {
  const { resolve, onCreate = [] } = kind.checks ?? {};
  const named = autoname(
    kind,
    name,
    olds,
    withConfiguredDefaults(kind, host, news, olds),
    host.settings.label_prefix,
    random,
  );
  const rounded = roundInputs(kind, normalise(kind.inputs, named.inputs) as Bag);
  const shape = newProblems(rounded.inputs, olds, (bag) => shapeProblems(kind, bag));
  const resolved =
    shape.length || !resolve ? {} : await resolve(known(rounded.inputs), host, Object.keys(rounded.inputs));
  const inputs = { ...rounded.inputs, ...resolved.inputs };
  const invalid = pathsOf(shape);
  // An invalid input counts as unchanged, so that the problems with the other changes are reported too.
  const keys = new Set(invalid.map(([key]) => String(key)));
  const changed = {
    ...Object.fromEntries(Object.entries(inputs).filter(([key]) => !keys.has(key))),
    ...pick(olds, [...keys]),
  };
  const isUpdate = Object.keys(olds).length > 0 && !diff(kind, olds, changed).replaces.length;
  const rules = newProblems(inputs, olds, (bag) => ruleProblems(kind, bag, invalid, isUpdate));
  const ofChange = isUpdate ? await changeProblems(kind, host, changed, olds) : [];
  const catalogue = await catalogueProblems(kind, host, { inputs, was: olds, broken: invalid });
  const problems = [...shape, ...(resolved.problems ?? []), ...rules, ...ofChange, ...catalogue];
  const isNew = !Object.keys(olds).length && !problems.length;
  const ofCreate = isNew ? await createChecks(onCreate, known(inputs), host) : { problems: [], warnings: [] };
  const failures = [...problems, ...ofCreate.problems].map((problem) => failureOf(kind.inputs, inputs, problem));
  return { inputs, autonamed: named.autonamed, failures, warnings: [...rounded.warnings, ...ofCreate.warnings] };
}

/** Runs the checks of a new resource. A create that is rejected has no side effects to warn about. */
async function createChecks(checks: readonly CreateCheck<Bag>[], known: Bag, host: Host) {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const createCheck of checks) {
    if ("rejects" in createCheck) problems.push(...[(await createCheck.check(known, host)) ?? []].flat());
    else if (!problems.length) warnings.push(...[(await createCheck.check(known, host)) ?? []].flat());
  }
  return { problems, warnings };
}

/** The problems of inputs with which an object is about to be created, as far as they are known without the API. */
export const createProblems = (kind: Kind, inputs: Bag): Failure[] =>
  problemsOfNew(kind, inputs).map((problem) => failureOf(kind.inputs, inputs, problem));

function problemsOfNew(kind: Kind, inputs: Bag): Problem[] {
  const shape = shapeProblems(kind, inputs);
  return [...shape, ...ruleProblems(kind, inputs, pathsOf(shape), false)];
}

const pathsOf = (problems: readonly Problem[]): Problem["path"][] => problems.map(({ path }) => path);

/**
 * The missing inputs without which the object could not be created, such as a password that the API does not return.
 */
export function missingForCreate(kind: Kind, inputs: Bag): string[] {
  const normalised = normalise(kind.inputs, inputs) as Bag;
  return invalidKeys(kind, normalised).filter((key) => normalised[key] === undefined && key !== kind.identity.autoname);
}

/** The inputs because of which the object could not be created: those that are missing, and those with a wrong value. */
export const invalidForCreate = (kind: Kind, inputs: Bag): string[] =>
  invalidKeys(kind, normalise(kind.inputs, inputs) as Bag);

const invalidKeys = (kind: Kind, normalised: Bag): string[] => [
  ...new Set(problemsOfNew(kind, normalised).map(({ path: [key] }) => String(key))),
];

/**
 * Ignores problems that the inputs in state already have. For example, an adopted object lacks inputs that a create
 * request requires, because the API does not return them.
 */
function newProblems(inputs: Bag, olds: Bag, problemsIn: (bag: Bag) => Problem[]): Problem[] {
  const found = problemsIn(inputs);
  if (!found.length || !Object.keys(olds).length) return found;
  const oldProblems = problemsIn(olds);
  const isInOlds = ({ path, reason }: Problem): boolean =>
    oldProblems.some((problem) => problem.reason === reason && isEqual(problem.path, path)) &&
    isEqual(valueAt(inputs, path), valueAt(olds, path));
  return found.filter((problem) => !isInOlds(problem));
}

const known = (inputs: Bag): Bag =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => !containsUnknown(value)));

function shapeProblems(kind: Kind, inputs: Bag): Problem[] {
  const parsed = z.safeParse(kind.inputs, inputs, { reportInput: true });
  if (parsed.success) return [];
  return problemsOf(parsed.error.issues).filter(({ path }) => !unknownAt(inputs, path));
}

function ruleProblems(kind: Kind, inputs: Bag, invalid: readonly Problem["path"][], isUpdate: boolean): Problem[] {
  const canCheck = (key: string): boolean =>
    !containsUnknown(inputs[key]) &&
    // An object that was created outside Pulumi can lack required inputs that the API does not return, such as a
    // password. Rules that read a missing required input are skipped.
    (inputs[key] !== undefined || !isRequired(fieldsOf(kind.inputs)[key] as z.core.$ZodType));
  const applicable = (kind.checks?.rules ?? []).filter(
    ({ reads, creation }) => !(isUpdate && creation) && reads.every(canCheck),
  );
  return applicable.flatMap(({ reads, check }) =>
    certainProblems(
      kind.inputs,
      inputs,
      invalid.filter(([key]) => reads.includes(String(key))),
      (bag) => [...check(bag)].map(problemOf),
    ),
  );
}

/**
 * The problems with a change of an existing object, such as a volume that would shrink. Replacements are not checked,
 * because they create a new object.
 */
async function changeProblems(kind: Kind, host: Host, inputs: Bag, olds: Bag): Promise<Problem[]> {
  const known = Object.entries(inputs).map(([key, value]) => [key, containsUnknown(value) ? olds[key] : value]);
  const problems = unsupportedProblems(kind, olds, inputs);
  for (const rule of kind.checks?.onChange ?? [])
    for await (const problem of rule(Object.fromEntries(known), olds, host)) problems.push(problem);
  return problems;
}

async function catalogueProblems(
  kind: Kind,
  host: Host,
  { inputs, was: olds, broken: invalid }: { inputs: Bag; was: Bag; broken: readonly Problem["path"][] },
): Promise<Problem[]> {
  // Only changed ids are validated: objects may still use an id that the service no longer offers, such as an old
  // image.
  const named = [...catalogued(kind.inputs, inputs, [])].filter(
    ({ path, id }) => !isUnknown(id) && !isWithin(path, invalid) && valueAt(olds, path) !== id,
  );
  const problems = await Promise.all(
    named.map(async ({ path, catalogue, id }) => {
      const reason = await host.catalogues.problem(catalogue, id);
      return reason ? [{ path, reason }] : [];
    }),
  );
  return problems.flat();
}
