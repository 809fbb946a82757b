import { dirname } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/resources";
import { copiesFor } from "../../../tools/kind/copies";

const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
const names = Object.keys(kinds);

const byPath = (a: string, b: string): number => (pathIn(a) < pathIn(b) ? -1 : 1);
const pathIn = (line: string): string => / from "(.*)"/.exec(line)?.[1] ?? "";

test("a new kind starts as a copy of the files of another, with its own name", () => {
  const { files, missing } = copiesFor(root, "OAuthGrant", "VolumeClone", names);
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
  expect(definition).toContain('export const oauthGrant = resource({\n  name: "OAuthGrant",');
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

test("a record of the API with the name of the other kind stays in the definition", () => {
  const { files, missing } = copiesFor(root, "ManagedWidget", "ManagedContact", names);
  const definition = files.get("provider/resources/managed-widget.ts");
  expect(definition).toContain("outputs: ManagedContact,");
  expect(missing, "a test that several kinds share").toEqual(["test/lifecycle/behaviour/managed-widget.test.ts"]);
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
])("KIND=%s LIKE=%s is an error", (kind, like, message) => {
  expect(() => copiesFor(root, kind, like, names)).toThrow(message);
});
