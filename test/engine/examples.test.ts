import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type KindName, kinds } from "../../provider/resources";
import { kindTests } from "../lifecycle/kinds";
import { exampleSecrets, prepareExamples } from "./example-needs";
import { mutations, sandbox } from "./sandbox";

const folder = join(__dirname, "../../examples/resources");
const programs = readdirSync(folder).filter((file) => file.endsWith(".ts"));

/**
 * For each kind of resource, a change in place of its example. Kinds for which the test data gives a reason why none is
 * possible are omitted.
 */
const edits = Object.fromEntries(
  Object.entries(kindTests)
    .map(([kind, { exampleEdit }]) => [kind, exampleEdit] as const)
    .filter(([, edit]) => typeof edit === "object"),
);

/**
 * A program that contains all examples. A transformation changes their inputs. Each example is in a scope of its own,
 * because two examples may export the same name.
 */
const program = ({ edit = false, options = {} } = {}): string => `
import * as pulumi from "@pulumi/pulumi";
const edits: Record<string, object> = ${JSON.stringify(edit ? edits : {})};
pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
  const edit = edits[type.split(":").at(-1) ?? ""];
  return edit && { props: { ...props, ...edit }, opts: { ...opts, ...${JSON.stringify(options)} } };
});
${programs.map((file) => `require("./${file.replace(/\.ts$/, "")}");\n`).join("")}`;

const source = "`exampleEdit` in the kind's file in test/lifecycle/kinds/";
const kindOf = (resource: string): KindName => resource.split(" ")[0] as KindName;

test("the examples of every kind in one program: up, no changes, edit in place, no changes, destroy", async () => {
  // Pulumi does not check the types here, because they are checked together with the repository's source code.
  const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  await using box = await sandbox({ folder }, { config: exampleSecrets(), env });
  const { stack, emulator } = box;
  await stack.configure(await prepareExamples(emulator));
  const before = box.holds();
  await stack.write("index.ts", program());

  const up = await stack.up();
  const created = Object.keys(up.ops).filter((resource) => kindOf(resource) in kinds);
  expect([...new Set(created.map(kindOf))].sort()).toEqual(Object.keys(kinds).sort());

  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);

  const properties = [...new Set(Object.values(edits).flatMap(Object.keys))];
  await stack.write("index.ts", program({ edit: true, options: { ignoreChanges: properties } }));
  await stack.preview(["--expect-no-changes"]);
  await stack.write("index.ts", program({ edit: true }));
  const { ops } = await stack.up();
  expect([...new Set(Object.keys(ops).map(kindOf))].sort(), `kinds with a change by ${source}`).toEqual(
    Object.keys(edits).sort(),
  );
  expect(
    Object.entries(ops).filter(([, op]) => op !== "update"),
    `changed in place by ${source}`,
  ).toEqual([]);
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);

  await stack.destroy();
  expect(box.holds()).toEqual(before);
});
