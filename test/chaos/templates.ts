import { type KindName, kinds } from "../../provider/resources";
import { kindTests } from "../lifecycle/kinds";
import type { Template } from "../lifecycle/template";

const all = new Map<string, Template & { kind: KindName }>();
for (const kind of Object.keys(kinds) as KindName[]) {
  const { templates } = kindTests[kind];
  if (typeof templates === "string") continue;
  for (const [name, template] of Object.entries<Template>(templates)) {
    if (all.has(name)) throw new Error(`Two files in test/lifecycle/kinds/ have a template with the name ${name}`);
    all.set(name, { kind, ...template });
  }
}

/** The names of the templates, each after those that it refers to. */
function ordered(names: Iterable<string>, done: Set<string> = new Set()): Set<string> {
  for (const name of names) {
    if (done.has(name)) continue;
    const template = all.get(name);
    if (!template) throw new Error(`No file in test/lifecycle/kinds/ has a template with the name ${name}`);
    ordered(Object.values(template.needs ?? {}), done);
    done.add(name);
  }
  return done;
}

/**
 * The templates of all kinds, each after those that it refers to. A kind without one is not part of random programs,
 * only of the tests of single resources. `make chaos` prints these kinds with the reasons.
 */
export const templates: Readonly<Record<string, Template & { kind: KindName }>> = Object.fromEntries(
  [...ordered(all.keys())].flatMap((name) => {
    const template = all.get(name);
    return template ? [[name, template]] : [];
  }),
);

/** Replaces the region in the test data, so that all resources of a program are in the same region. */
export const common = { region: "us-southeast" };
