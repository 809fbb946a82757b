import { dirname } from "node:path";
import { expect, test } from "vitest";
import { copiesFor } from "../../../tools/kind/copies";
import { openDecisions } from "../../../tools/kind/decisions";

const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));

const byPath = (a: string, b: string): number => (pathIn(a) < pathIn(b) ? -1 : 1);
const pathIn = (line: string): string => / from "(.*)"/.exec(line)?.[1] ?? "";

test("a new kind starts as a copy of the files of another, with its own name", () => {
  const { files, missing } = copiesFor(root, "OAuthGrant", "VolumeClone");
  expect([...files.keys()]).toEqual([
    "provider/resources/oauth-grant.ts",
    "test/lifecycle/kinds/oauth-grant.ts",
    "examples/resources/oauth-grant.ts",
    "examples/resources/oauth-grant.yaml",
    "test/lifecycle/behaviour/oauth-grant.test.ts",
    "provider/resources/index.ts",
  ]);
  expect(missing).toEqual([]);
  const [definition = "", fixture = "", program = "", yaml = "", behaviour = "", index = ""] = [...files.values()];
  expect(definition).toContain('export const oauthGrant = secondKind(volume, {\n  name: "OAuthGrant",');
  expect(fixture).toContain('CreateFixture<"OAuthGrant">');
  expect(fixture, "does not compile until it is decided").toContain('found: Found = { by: "" };');
  expect(program).toContain("new OAuthGrant(");
  expect(yaml).toContain("type: cloudinfra:OAuthGrant");
  expect(behaviour).toContain('testsOf("OAuthGrant")');
  for (const text of [fixture, program, yaml, behaviour]) expect(text).not.toMatch(/\bVolumeClone\b/);
  expect(index).toContain("\n  OAuthGrant: oauthGrant,\n} satisfies");
  const imports = index.split("\n").filter((line) => line.startsWith("import { "));
  expect(imports).toContain('import { oauthGrant } from "./oauth-grant";');
  expect(imports).toEqual(imports.toSorted(byPath));
});

test("whether a new kind manages objects of other kinds, as the copied one does, has to be decided", () => {
  const definition = copiesFor(root, "Backup", "Volume").files.get("provider/resources/backup.ts");
  expect(definition).toContain(
    "    // Decide: which objects of other kinds its inputs declare, as `compute_id` of `Volume` does. Delete it if there are none.\n" +
      "    manages: (",
  );
});

test("a record of the API with the name of the other kind stays in the definition", () => {
  const { files, missing } = copiesFor(root, "ManagedWidget", "ManagedContact");
  const definition = files.get("provider/resources/managed-widget.ts");
  expect(definition).toContain("outputs: ManagedContact,");
  expect(missing, "a test that several kinds share").toEqual(["test/lifecycle/behaviour/managed-widget.test.ts"]);
});

test("a second kind over the objects of another is a copy with the words for those objects", () => {
  const { files } = copiesFor(root, "DomainCopy", "VolumeClone", "Domain");
  const text = (path: string): string => files.get(path) ?? "";
  const definition = text("provider/resources/domain-copy.ts");
  expect(definition).toContain("export const domainCopy = secondKind(domain, {");
  expect(definition).toContain('import { domain } from "./domain";');
  expect(definition).toContain("inputs: domains.update.body.");
  expect(definition).toContain('refersTo: { source_domain_id: "domains" }');
  expect(definition).toContain("return { domainId: id };");
  const fixture = text("test/lifecycle/kinds/domain-copy.ts");
  expect(fixture).toContain('sharedTests<"Domain", "DomainCopy">(domain, "DomainCopy")');
  expect(fixture, "follows from the definition").toContain('found: Found = { by: "byId" };');
  for (const [path, copy] of files) if (!path.endsWith("index.ts")) expect(copy, path).not.toMatch(/volume/i);
  expect(text("examples/resources/domain-copy.ts")).toContain('new Domain("original", {\n  domain: "example.org",');
  expect(text("examples/resources/domain-copy.yaml")).toContain(
    "original:\n    type: cloudinfra:Domain\n    properties:\n      domain: example.org\n",
  );
});

test("a second kind over objects whose name has several words", () => {
  const { files } = copiesFor(root, "NodeBalancerCopy", "VolumeClone", "NodeBalancer");
  const definition = files.get("provider/resources/node-balancer-copy.ts");
  expect(definition).toContain('import { nodeBalancer } from "./node-balancer";');
  expect(definition).toContain('refersTo: { source_node_balancer_id: "nodeBalancers" }');
  expect(definition).toContain("return { nodeBalancerId: id };");
  expect(files.get("test/lifecycle/kinds/node-balancer-copy.ts")).toContain("sourceNodeBalancerId: source.id");
});

test("copies say where to decide, with the choices", () => {
  const { files } = copiesFor(root, "Widget", "ManagedContact");
  const [definition = "", fixture = "", example = ""] = [...files.values()];
  expect(definition).toMatch(/\n {2}\/\/ Decide: what a change of each input does(?:.*\n {2}\/\/)+.*\n {2}fields: /);
  expect(fixture).toMatch(/\n\/\/ Decide: "operation"(?:.*\n\/\/)+.*\nexport const found/);
  expect(openDecisions(definition)).toHaveLength(7);
  expect(openDecisions(fixture)).toHaveLength(7);
  expect(openDecisions(example)).toEqual([3]);
});

test.each([
  ["", "Volume", 'KIND must be a name such as VolumeClone (given "")'],
  ["volumeClone", "Volume", 'KIND must be a name such as VolumeClone (given "volumeClone")'],
  ["Volume", "Image", "KIND must be new: provider/resources/index.ts already has Volume"],
  [
    "InstanceBackupSchedule",
    "Image",
    "Choose another name for the kind InstanceBackupSchedule: sdk/types.ts has a type",
  ],
  ["Widget", "", 'LIKE must be a kind of provider/resources/index.ts, such as ManagedContact (given "")'],
  ["Widget", "Volum", 'ManagedContact (given "Volum"); did you mean "Volume"?'],
  [
    "Widget",
    "VolumeClone",
    'OF must be a kind of provider/resources/index.ts, such as ManagedContact (given "Domian"); did you mean "Domain"?',
    "Domian",
  ],
  [
    "Widget",
    "Volume",
    'LIKE must have the objects of another kind if OF is set, as VolumeClone has (given "Volume")',
    "Domain",
  ],
] as [kind: string, like: string, message: string, of?: string][])(
  "KIND=%s LIKE=%s is an error: %s",
  (kind, like, message, of) => {
    expect(() => copiesFor(root, kind, like, of)).toThrow(message);
  },
);
