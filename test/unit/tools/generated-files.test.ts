import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { kebab, operations } from "../../../api";
import type { Kind } from "../../../provider/engine/definition";
import { generate } from "../../../tools/generate/files";
import { MARK } from "../../../tools/generate/mark";
import { newFolder } from "../../folder";
import { gadget, gadgetInputs } from "./gadget";

const repository = join(__dirname, "../../..");
const root = newFolder();

test("writes files once, reports those that differ, and removes those that are no longer generated", async () => {
  for (const file of ["package.json", "biome.json"]) cpSync(join(repository, file), join(root, file));
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  mkdirSync(join(root, "sdk"));
  writeFileSync(join(root, "sdk/dynamic.ts"), "// by hand\n");
  writeFileSync(join(root, "sdk/old.ts"), MARK);
  const client = ["provider/client/generated/areas.ts", "provider/client/generated/records.ts"];
  const sdk = ["sdk/gadget.ts", "sdk/index.ts", "sdk/old.ts", "sdk/types.ts"];
  const reference = ["README", "records", ...Object.keys(operations).map(kebab)].map((page) => `api/${page}`);
  const pages = ["cli", "configuration", "emulator-control", "events", "resources/README", "resources/gadget"];
  const registry = ["registry/_index", "registry/installation-configuration"];
  const docs = [...reference, ...pages, ...registry].map((page) => `docs/${page}.md`).sort();
  const policies = "policies/kinds.ts";
  const all = [
    ...docs,
    "drift.schema.json",
    policies,
    ...client,
    "schema.json",
    ...sdk,
    "test/lifecycle/kinds/index.ts",
  ];
  expect(await generate(root, { Gadget: gadget }, { check: true })).toEqual(all);
  expect(await generate(root, { Gadget: gadget })).toEqual(all);
  expect(await generate(root, { Gadget: gadget }, { check: true })).toEqual([]);
  expect(readFileSync(join(root, "sdk/dynamic.ts"), "utf8")).toBe("// by hand\n");
  expect(readFileSync(join(root, "sdk/index.ts"), "utf8")).toBe(
    `${MARK}export * from "./gadget";\nexport * as types from "./types";\n`,
  );
  const renaming = { Appliance: { ...gadget, name: "Appliance" }, Gadget: gadget };
  await expect(generate(root, renaming)).rejects.toThrow(
    /^Move Appliance to the end of the kinds in .* GadgetAccessArgs to ApplianceAccessArgs, /,
  );
  await expect(generate(root, { Gadget: gadget, GadgetAccess: { ...gadget, name: "GadgetAccess" } })).rejects.toThrow(
    "Choose another name for the kind GadgetAccess: sdk/types.ts has a type of this name, which the SDKs of other languages would rename",
  );
  const file = join(root, "sdk/types.ts");
  const types = readFileSync(file, "utf8");
  const [rule = ""] = /(?<=export interface GadgetInbound) \{[^}]*\}/.exec(types) ?? [];
  const former = types.replace(/export interface GadgetInbound \{[^}]*\}\s+/, "");
  writeFileSync(file, former.replace(/(?<=export interface GadgetAccess) \{[^}]*\}/, rule));
  await expect(generate(root, { Gadget: gadget })).rejects.toThrow(
    'Rename these types in sdk/types.ts, then run "make generate" again: GadgetAccess to GadgetInbound.',
  );
});

test("a type that gets further values keeps its name, also if a new type has its former values", async () => {
  const file = join(root, "sdk/types.ts");
  rmSync(file);
  const phase = z.enum(["new", "done"]).optional();
  const withPhase = {
    ...gadget,
    inputs: gadgetInputs.extend({ phase }),
    fields: { ...gadget.fields, phase: "edit" },
  } satisfies Kind;
  await generate(root, { Gadget: withPhase });
  const types = readFileSync(file, "utf8");
  expect(types).toContain('export type GadgetPhase = "new" | "done";');
  expect(types).toContain('export type GadgetStatus = "new" | "done" | "bad";');
  const former = types
    .replace(/export type GadgetPhase = .*\s+/, "")
    .replace('"new" | "done" | "bad"', '"new" | "done"');
  writeFileSync(file, former);
  expect(await generate(root, { Gadget: withPhase })).toEqual(["sdk/types.ts"]);
  expect(readFileSync(file, "utf8")).toBe(types);
});
