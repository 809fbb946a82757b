import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nextSteps } from "../../../cli/migrate";
import { newFolder } from "../../folder";

const folder = newFolder();
const ENTRY = "plugins: { providers: [{ name: cloudinfra, path: ./node_modules/pulumi-cloudinfra }] }";
const WARNING =
  "Do not run an update before: a program with the former import would create all objects again and delete these.";
const OTHER_STACKS =
  "Before you update another stack with the changed program, migrate that stack too: otherwise, the update would create its objects again and delete the existing ones.";
const importOf = (name: string): string =>
  `Import "${name}" in the program, then run "pulumi preview": it shows no changes.`;

test.each([
  ["native", "name: shop\nruntime: nodejs\n", [`Add to Pulumi.yaml: ${ENTRY}`, importOf("pulumi-cloudinfra/native")]],
  ["native", `name: shop\nruntime: nodejs\n${ENTRY}\n`, [importOf("pulumi-cloudinfra/native")]],
  ["dynamic", "name: shop\nruntime: nodejs\n", [importOf("pulumi-cloudinfra")]],
  [
    "dynamic",
    `name: shop\nruntime: nodejs\n${ENTRY}\n`,
    [
      importOf("pulumi-cloudinfra"),
      "Then remove the plugin from Pulumi.yaml: with it, cloudinfra import writes declarations for the native plugin.",
    ],
  ],
] as const)("after migrate --to %s, the project has to follow (%j)", async (to, project, lines) => {
  writeFileSync(join(folder, "Pulumi.yaml"), project);
  expect(await nextSteps(to, folder)).toEqual([...lines, WARNING, OTHER_STACKS]);
});

test("after migrate --to native, a program in another language has no import to change", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: yaml\n");
  expect(await nextSteps("native", folder)).toEqual([
    'Declare them with the native plugin, as docs/guides/languages.md describes, and run "pulumi preview" before the next update: it shows no changes.',
    OTHER_STACKS,
  ]);
});
