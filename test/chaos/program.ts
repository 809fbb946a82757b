import fc from "fast-check";
import type { Kind } from "../../provider/engine/definition";
import { type Bag, UNKNOWN } from "../../provider/engine/values";
import { type KindName, kinds } from "../../provider/resources";
import { cloud } from "../../testing/cloud";
import { lastOf } from "../lifecycle/expectations";
import { kindTests } from "../lifecycle/kinds";
import { type AnyFixture, editsOf } from "../lifecycle/scenario";
import type { Outputs, Template } from "../lifecycle/template";
import { common, templates } from "./templates";

/**
 * A resource of a random program: the template that declares it, and random numbers that determine its name, its inputs
 * and the resources that it refers to.
 */
export interface Spec {
  template: string;
  /** Number that distinguishes the resource from other resources with the same template. */
  nth: number;
  /** Random numbers: `edit` chooses a change of the resource's inputs, and `roles` the resources that it refers to. */
  edit: number;
  roles: number;
  isNamed: boolean;
}

export interface Resource {
  name: string;
  kind: KindName;
  dependsOn: string[];
  inputs(outputsOf: (name: string) => Outputs): Bag;
}

type Edit = { add: Spec } | { remove: number } | { change: number; edit: number };

const names = Object.keys(templates);
const template = (name: string) => templates[name] as Template & { kind: KindName };

const specOf = (among: readonly string[]): fc.Arbitrary<Spec> =>
  fc.record({
    template: fc.constantFrom(...among),
    nth: fc.nat(99),
    edit: fc.nat(999),
    roles: fc.nat(999),
    isNamed: fc.boolean(),
  });

const spec = specOf(names);

/** The templates of the kind in the environment variable `CHAOS_KIND`, if it is set. `make kind` tests them alone. */
const { CHAOS_KIND } = process.env;
const ofKind = names.filter((name) => CHAOS_KIND !== undefined && template(name).kind === CHAOS_KIND);

/** Whether random programs have resources of the kind that is to be tested. */
export const isPossible = CHAOS_KIND === undefined || ofKind.length > 0;

const editOf = (changes: number): fc.Arbitrary<Edit> =>
  fc.oneof(
    { weight: changes, arbitrary: fc.record({ change: fc.nat(99), edit: fc.nat(999) }) },
    { weight: 1, arbitrary: fc.record({ add: spec }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat(99) }) },
  );

/** The sizes of random programs, and how they change. */
interface Sizes {
  /** Maximum number of resources of the first version, without those that others need. */
  resources: number;
  /** Maximum number of edits between two versions. */
  edits: number;
  /** Minimum number of later versions. */
  later: number;
  /** The number of edits that change a resource for each one that adds a resource. */
  changes: number;
}

/** A program and its later versions. */
const versionsOf = ({ resources, edits, later, changes }: Sizes): fc.Arbitrary<Spec[][]> =>
  fc
    .tuple(
      ofKind.length ? fc.tuple(specOf(ofKind)) : fc.constant([]),
      fc.array(spec, { minLength: 1, maxLength: resources, size: "max" }),
      fc.array(fc.array(editOf(changes), { minLength: 1, maxLength: edits }), {
        minLength: later,
        maxLength: 4,
        size: "max",
      }),
    )
    .map(([tested, others, edits]) => {
      const all = [[...tested, ...others]];
      for (const some of edits) all.push(some.reduce(edited, all.at(-1) ?? []));
      return all;
    });

/** Versions of a program with many resources, which depend on each other. */
export const manyResources = versionsOf({ resources: 6, edits: 3, later: 1, changes: 4 });
/** Versions of a program with one or two resources, whose inputs change in almost each version. */
export const fewResources = versionsOf({ resources: 2, edits: 2, later: 2, changes: 8 });

function edited(specs: Spec[], edit: Edit): Spec[] {
  if ("add" in edit) return [...specs, edit.add];
  if ("remove" in edit) return specs.filter((_, at) => at !== edit.remove % specs.length);
  return specs.map((spec, at) => (at === edit.change % specs.length ? { ...spec, edit: edit.edit } : spec));
}

/**
 * The inputs of a resource from the test data of its kind, and changes of them. `edits` in each change contains the
 * names of the changed inputs.
 */
interface Edits {
  base: Bag;
  edits: { edits: readonly string[]; inputs: Bag }[];
  /** The emulator's table that contains the objects of the kind. `null` if they have no rows of their own. */
  table: string | null;
  /** Converts the id of a resource to the key of the object in that table. */
  row(id: string): string;
}

export type Known = ReadonlyMap<KindName, Edits>;

/** Reads the test data of each kind of resource, each with an emulated account of its own. */
export async function fixtures(): Promise<Known> {
  const names = [...new Set(Object.values(templates).map(({ kind }) => kind))];
  const read = async (kind: KindName): Promise<[KindName, Edits]> => {
    await using account = await cloud();
    const fixture = (await kindTests[kind].fixture(account)) as unknown as AnyFixture;
    const { base, table = kinds[kind].identity.area, row = lastOf } = fixture;
    const edits = Object.keys(fixture.changes).flatMap((input) =>
      editsOf(fixture, input).flatMap(({ before: value = {}, to, along = {} }) => [
        { edits: Object.keys(value), inputs: value },
        { edits: [input, ...Object.keys({ ...value, ...along })], inputs: { ...value, [input]: to, ...along } },
      ]),
    );
    return [kind, { base, edits: edits.filter(({ edits }) => edits.length), table, row: (id) => String(row(id)) }];
  };
  return new Map(await Promise.all(names.map(read)));
}

const nameOf = (template: string, nth: number): string => `${template}${nth}`.toLowerCase();

interface Node {
  spec: Spec;
  name: string;
  roles: Record<string, string>;
}

/** Values that must stay the same in all later versions of a random program. */
export interface Stored {
  /** Inputs that cannot be changed back, such as the size of a volume. The keys are the names of the resources. */
  inputs: Map<string, Bag>;
  /**
   * Resources to which only one other resource may refer, such as a volume, which can have only one attachment. A key
   * is, for example, `attachment volume7`, and its value the name of the referring resource. It never changes, because
   * Pulumi would create a new referring resource before it deletes the old one.
   */
  owners: Map<string, string>;
}

/**
 * Generates the declared resources, and additional ones that they refer to. A resource comes after those that it refers
 * to.
 */
export function resourcesOf(specs: readonly Spec[], known: Known, stored: Stored): Resource[] {
  const nodes = new Map<string, Node>();
  const add = (spec: Spec): Node | undefined => {
    const { needs = {}, usedOnce = {}, max = Number.POSITIVE_INFINITY } = template(spec.template);
    // An object that exists only once, such as the payment card, always has the same resource name. If a new version of
    // the program renamed the resource, the new resource would adopt the card, and Pulumi would then delete the card
    // with the old resource.
    const name = nameOf(spec.template, max === 1 ? 0 : spec.nth);
    const alike = [...nodes.values()].filter((node) => node.spec.template === spec.template);
    if (nodes.has(name)) return nodes.get(name);
    if (alike.length >= max) return undefined;
    const roles: Record<string, string> = {};
    const isOwner = (key: string, isAlone: boolean) => !isAlone || (stored.owners.get(key) ?? name) === name;
    for (const [role, needed] of Object.entries(needs)) {
      const isFree = ({ name }: Node) =>
        !Object.values(roles).includes(name) && isOwner(`${usedOnce[role] ?? spec.template} ${name}`, role in usedOnce);
      const free = [...nodes.values()].filter((node) => node.spec.template === needed && isFree(node));
      const isTaken = (name: string) =>
        nodes.has(name) || !isOwner(`${usedOnce[role] ?? spec.template} ${name}`, role in usedOnce);
      let nth = 100 + spec.nth;
      while (isTaken(nameOf(needed, nth))) nth++;
      const chosen = free[spec.roles % (free.length || 1)] ?? add({ ...spec, template: needed, edit: 0, nth });
      if (!chosen) return undefined;
      roles[role] = chosen.name;
      if (usedOnce[role]) stored.owners.set(`${usedOnce[role]} ${chosen.name}`, name);
    }
    const node = { spec, name, roles };
    nodes.set(name, node);
    return node;
  };
  for (const spec of specs.toSorted((a, b) => names.indexOf(a.template) - names.indexOf(b.template))) add(spec);
  const needed = new Set([...nodes.values()].flatMap(({ roles }) => Object.values(roles)));
  return [...nodes.values()].map((node) => resourceOf(node, needed.has(node.name), known, stored));
}

function resourceOf({ spec, name, roles }: Node, isNeeded: boolean, known: Known, stored: Stored): Resource {
  const {
    kind,
    skip = [],
    onlyIfUnused = [],
    irreversible = [],
    more = [],
    inputs = () => ({}),
  } = template(spec.template);
  const { base, edits } = known.get(kind) as Edits;
  const allowed = [
    { edits: [], inputs: {} },
    ...edits.filter(
      ({ edits }) => !edits.some((input) => skip.includes(input) || (isNeeded && onlyIfUnused.includes(input))),
    ),
    ...more.map((inputs) => ({ edits: Object.keys(inputs), inputs })),
  ];
  const chosen = allowed[spec.edit % allowed.length] ?? { inputs: {} };
  const earlier = stored.inputs.get(name);
  const stays = Object.fromEntries(
    irreversible.flatMap((key) => (key in { ...earlier } ? [[key, earlier?.[key]]] : [])),
  );
  const value: Bag = { ...base, ...("region" in base && common), ...chosen.inputs, ...stays };
  stored.inputs.set(
    name,
    Object.fromEntries(
      irreversible.flatMap((key) => (key in chosen.inputs || key in stays ? [[key, value[key]]] : [])),
    ),
  );
  if (typeof value.label === "string") value.label = `${value.label}-${name}`.slice(0, 32);
  const { autoname } = (kinds[kind] as Kind).identity;
  if (autoname && autoname in value && autoname !== "domain" && !spec.isNamed) value[autoname] = undefined;
  return {
    name,
    kind,
    dependsOn: [...new Set(Object.values(roles))],
    inputs(outputsOf) {
      const outputs = Object.entries(roles).map(([role, name]) => [role, outputsOf(name)]);
      return { ...value, ...inputs(Object.fromEntries(outputs), { name, nth: spec.nth, edited: value }) };
    },
  };
}

/** Placeholder for the outputs of a resource that will be replaced. */
export const unknown: Outputs = new Proxy({}, { get: () => UNKNOWN });
