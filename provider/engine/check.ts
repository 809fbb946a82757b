import { z } from "zod";
import { metaOf, type Problem, partsOf, problemsOf } from "../../api";
import { autoname } from "./autoname";
import { configured } from "./configured";
import { differences, meaningOf } from "./diff";
import { type Failure, failure, valueAt } from "./failure";
import type { Host } from "./host";
import { normalise, round } from "./normalise";
import { operate } from "./operation";
import type { Bag, Kind } from "./resource";
import { same } from "./same";
import { holdsUnknown, isUnknown, unknownAt } from "./unknown";

export interface Checked {
  inputs: Bag;
  /** Whether the name is ours rather than the program's. */
  autonamed: boolean;
  /** Every problem at once: the top-level property and a sentence that says where, what was given and what is allowed. */
  failures: Failure[];
  warnings: string[];
}

/**
 * The inputs made ready for diff and create: names and defaults filled in, numbers and rounding as the API has them.
 * A value that is not known yet passes untouched and is never judged.
 */
export const check = (kind: Kind, host: Host, name: string, was: Bag, given: Bag): Promise<Checked> =>
  operate({ kind, host, operation: "check", name: () => `${kind.kind} "${name}"` }, (host) =>
    checked(kind, host, name, was, given),
  );

async function checked(kind: Kind, host: Host, name: string, was: Bag, given: Bag): Promise<Checked> {
  const named = autoname(kind, name, was, configured(kind, host, given), host.settings.label_prefix);
  const rounded = round(kind, normalise(kind.inputs, named.inputs) as Bag);
  const shape = newIn(rounded.inputs, was, (bag) => shapeProblems(kind, bag));
  const completed =
    shape.length || !kind.complete ? {} : await kind.complete(known(rounded.inputs), host, Object.keys(rounded.inputs));
  const inputs = { ...rounded.inputs, ...completed.inputs };
  const broken = new Set(shape.map(({ path }) => path[0]));
  const stays = !shape.length && Object.keys(was).length > 0 && !isReplaced(kind, inputs, was);
  const rules = newIn(inputs, was, (bag) => ruleProblems(kind, bag, broken, stays));
  const guards = stays ? await guardProblems(kind, host, inputs, was) : [];
  const catalogue = await catalogueProblems(kind, host, { inputs, was, broken });
  const problems = [...shape, ...(completed.problems ?? []), ...rules, ...guards, ...catalogue];
  const isNew = !Object.keys(was).length && !problems.length;
  const beginning = isNew ? await kind.starts?.(known(inputs), host) : undefined;
  if (typeof beginning === "object") problems.push(beginning);
  const failures = problems.map((problem) => failure(kind, inputs, problem));
  const warnings = [...rounded.warnings, ...(typeof beginning === "string" ? [beginning] : [])];
  return { inputs, autonamed: named.autonamed, failures, warnings };
}

/** The inputs that a creation would lack, by the contract's own rules. */
export function missingAtCreation(kind: Kind, inputs: Bag): string[] {
  const whole = normalise(kind.inputs, inputs) as Bag;
  const problems = [...shapeProblems(kind, whole), ...ruleProblems(kind, whole, new Set(), false)];
  const keys = problems.map(({ path: [key] }) => String(key));
  return [...new Set(keys)].filter((key) => whole[key] === undefined && key !== kind.autoname);
}

/**
 * An object that exists may break what creation asks for: the API does not return every input of an adopted one. Only
 * problems that the inputs in state do not have already are the program's.
 */
function newIn(inputs: Bag, was: Bag, problemsIn: (bag: Bag) => Problem[]): Problem[] {
  const found = problemsIn(inputs);
  if (!found.length || !Object.keys(was).length) return found;
  const before = problemsIn(was);
  const isOld = ({ path, reason }: Problem): boolean =>
    before.some((old) => old.reason === reason && same(old.path, path)) &&
    same(valueAt(inputs, path), valueAt(was, path));
  return found.filter((problem) => !isOld(problem));
}

const known = (inputs: Bag): Bag =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));

function shapeProblems(kind: Kind, inputs: Bag): Problem[] {
  const parsed = z.safeParse(kind.inputs, inputs, { reportInput: true });
  if (parsed.success) return [];
  return problemsOf(parsed.error.issues).filter(({ path }) => !unknownAt(inputs, path));
}

function ruleProblems(kind: Kind, inputs: Bag, broken: ReadonlySet<unknown>, stays: boolean): Problem[] {
  const judged = (kind.rules ?? []).filter(
    ({ reads, creation }) =>
      !(stays && creation) && reads.every((key) => !holdsUnknown(inputs[key]) && !broken.has(key)),
  );
  return judged
    .flatMap((rule) => [...rule.check(inputs)])
    .map(({ field, reason }) => ({ path: parsePath(field), reason }));
}

const isReplaced = (kind: Kind, inputs: Bag, was: Bag): boolean =>
  [...differences(kind, was, inputs).keys()].some((key) => meaningOf(kind, key, inputs) === "replace");

/** Rules about a change hold only where the object stays: a replacement starts anew. */
async function guardProblems(kind: Kind, host: Host, inputs: Bag, was: Bag): Promise<Problem[]> {
  const known = Object.entries(inputs).map(([key, value]) => [key, holdsUnknown(value) ? was[key] : value]);
  const problems: Problem[] = [];
  for (const guard of kind.guards ?? [])
    for await (const problem of guard(Object.fromEntries(known), was, host)) problems.push(problem);
  return problems;
}

async function catalogueProblems(
  kind: Kind,
  host: Host,
  { inputs, was, broken }: { inputs: Bag; was: Bag; broken: ReadonlySet<unknown> },
): Promise<Problem[]> {
  // An entry may leave the catalogue while objects still use it.
  const named = [...catalogued(kind.inputs, inputs, [])].filter(
    ({ path, id }) => !broken.has(path[0]) && valueAt(was, path) !== id,
  );
  const problems = await Promise.all(
    named.map(async ({ path, catalogue, id }) => {
      const reason = await host.catalogues.problem(catalogue, id);
      return reason ? [{ path, reason }] : [];
    }),
  );
  return problems.flat();
}

type Catalogued = { path: Problem["path"]; catalogue: NonNullable<z.core.GlobalMeta["catalogue"]>; id: string };

/** Every known value that is the id of something in a catalogue, however deep. */
function* catalogued(schema: z.core.$ZodType, value: unknown, path: Problem["path"]): Iterable<Catalogued> {
  const { catalogue } = metaOf(schema);
  if (catalogue && typeof value === "string" && !isUnknown(value)) yield { path, catalogue, id: value };
  for (const part of partsOf(schema, value)) yield* catalogued(part.schema, part.value, [...path, part.key]);
}

/** `rules.inbound.3.ports` as the contract writes places. */
const parsePath = (field: string): Problem["path"] =>
  field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
