import { afterAll, beforeAll, expect, test } from "vitest";
import { addRange } from "../../emulator/areas/networking/ipv6";
import { connect } from "../../provider/client";
import type { Run } from "../../testing/engine";
import { nightly } from "../nightly";
import { allKinds, allKindsConfig, edits } from "./all-kinds";
import { ownCard } from "./more-kinds";
import { type Sandbox, sandbox } from "./sandbox";

/**
 * For resource classes without inputs that can be changed in place: an input, and a new value that replaces the
 * resource. A Pulumi transformation in the program sets the value.
 */
const replacing: Record<string, [property: string, to: unknown]> = {
  "FirewallDevice web": ["entityId", 1],
  "InstanceIp inside": ["public", true],
  "InstanceSnapshot before": ["label", "after"],
  "Ipv6Range routed": ["computeId", 1],
  "ServiceTransfer gift": ["entities", { computes: [1] }],
};

/**
 * Properties that a preview may show as changed in addition to the edited property: inputs that the provider computes,
 * and inputs from outputs that are unknown in the preview.
 */
const shownAsWell: Record<string, string[]> = {
  "ObjectStorageObject hello": ["contentHash", "etag"],
  "DomainRecord www": ["target"],
  "DomainRecord alias": ["target"],
  "NodeBalancerNode backend": ["address"],
  "ReverseDns web": ["address"],
};

const properties: Record<string, string> = {
  ...edits,
  ...Object.fromEntries(Object.entries(replacing).map(([resource, [property]]) => [resource, property])),
};

interface Options {
  edit?: boolean;
  /** Whether the program also contains the changes that replace resources. */
  replace?: boolean;
  /**
   * JavaScript code for the resource options of every edited resource, for example `{ ignoreChanges: [property] }`, in
   * which `property` is the name of the edited input.
   */
  options?: string;
}

const program = ({ edit = false, replace = false, options = "{}" }: Options = {}): string => `
const properties = ${JSON.stringify(properties)}, replacing = ${JSON.stringify(replace ? replacing : {})};
require("@pulumi/pulumi").runtime.registerStackTransformation(({ type, name, props, opts }) => {
  const resource = type.split("cloudinfra:")[1] + " " + name;
  const property = properties[resource];
  if (!property) return undefined;
  const changed = replacing[resource] ? { [property]: replacing[resource][1] } : {};
  return { props: { ...props, ...changed }, opts: { ...opts, ...(${options}) } };
});
${allKinds({ edit })}
new cloudinfra.Ipv6Range("routed", { range: config.require("range") });`;

let box: Sandbox;

beforeAll(async () => {
  box = await sandbox(program(), { config: await allKindsConfig() });
  const { emulator, stack } = box;
  await ownCard(emulator);
  const client = connect({ url: emulator.url, token: emulator.token });
  const { id } = await client.api.instances.create({ body: { region: "us-east", type: "g6-nanode-1" } });
  await client.close();
  await stack.configure({ range: addRange(emulator.world, emulator.world.instances.get(id)).range });
  await stack.up();
});
afterAll(() => box[Symbol.asyncDispose]());

async function previewOf(options: string, args: string[] = []): Promise<Run> {
  await box.rewrite(program({ edit: true, replace: true, options }));
  return box.stack.preview(args);
}

const orderOf = ({ steps }: Run, resource: string, op: string): number =>
  steps.findIndex((step) => step.op === op && resource === `${step.type.split(":").at(-1)} ${step.name}`);

const replacements = Object.fromEntries(Object.keys(properties).map((resource) => [resource, "replace"]));

test("preview --diff shows the changed properties and no others", async () => {
  const plain = await previewOf("{}", ["--diff"]);
  const shown = plain.steps
    .filter(({ op }) => op === "update" || op === "replace")
    .map(({ type, name, diffs }) => [`${type.split(":").at(-1)} ${name}`, [...diffs].sort()]);
  const expected = Object.entries(properties).map(([resource, property]) => [
    resource,
    [property, ...(shownAsWell[resource] ?? [])].sort(),
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  const besides = plain.stdout.split("\n").filter((line) => /^ {6}( {2}|- )\w+ *:/.test(line));
  expect(besides, "properties that are listed without a change").toEqual([]);
});

// `examples.test.ts` proves this for an edit of every kind.
nightly("an edit of a property in ignoreChanges has no effect, for all kinds", async () => {
  expect((await previewOf("{ ignoreChanges: [property] }", ["--expect-no-changes"])).ops).toEqual({});
});

nightly("replaceOnChanges replaces resources of all kinds, and deleteBeforeReplace sets the order", async () => {
  const first = await previewOf("{ replaceOnChanges: [property], deleteBeforeReplace: true }");
  expect(first.ops).toMatchObject(replacements);
  const last = await previewOf('{ replaceOnChanges: ["*"], deleteBeforeReplace: false }');
  expect(last.ops).toMatchObject(replacements);
  for (const resource of Object.keys(properties)) {
    const [before, after] = [first, last].map((run) => [
      orderOf(run, resource, "delete-replaced"),
      orderOf(run, resource, "create-replacement"),
    ]) as [[number, number], [number, number]];
    expect(before[0], `${resource}: the old one goes first`).toBeLessThan(before[1]);
    expect(after[0], `${resource}: the new one comes first`).toBeGreaterThan(after[1]);
  }
});

test("a replacement by replaceOnChanges succeeds for all kinds, and then shows no changes", async () => {
  await box.rewrite(program({ edit: true, options: "{ replaceOnChanges: [property] }" }));
  const { ops } = await box.stack.up();
  expect(ops).toMatchObject(Object.fromEntries(Object.keys(edits).map((resource) => [resource, "replace"])));
  await box.stack.preview(["--expect-no-changes"]);
  await box.stack.refresh(["--preview-only", "--expect-no-changes"]);
});
