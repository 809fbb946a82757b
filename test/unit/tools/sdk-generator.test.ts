import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { Id, kebab, operations, RegionId, Tags } from "../../../api";
import type { Kind } from "../../../provider/engine/definition";
import { kinds } from "../../../provider/resources";
import { Asset } from "../../../provider/resources/content";
import { generate } from "../../../tools/generate/files";
import { MARK } from "../../../tools/generate/mark";
import { packageSchema } from "../../../tools/generate/schema";
import { sdkFiles } from "../../../tools/generate/sdk";

const repository = join(__dirname, "../../..");
const about = {
  keywords: ["cloud"],
  license: "Apache-2.0",
  homepage: "https://example.org",
  repository: { url: "git+https://github.com/example/example.git" },
};

const Level = z.enum(["low", "ipv6/pool"]);
const Rule = z.strictObject({
  level: Level,
  open_ports: z.array(z.int().min(1)).max(3).default([]),
  spare: z.string().optional(),
});

const gadget: Kind = {
  name: "Gadget",
  summary: "A thing with every kind of field",
  source: "nowhere",
  inputs: z.strictObject({
    label: z
      .string()
      .min(3)
      .max(32)
      .regex(/^[a-z]+$/, "must contain only small letters")
      .describe("Name; not `open_ports`."),
    region: RegionId.describe("Where it is."),
    size: z.int().min(10).max(99).default(20).describe("Size in GiB."),
    compute_id: Id.nullable().optional().describe("Instance that holds it."),
    tags: Tags.optional(),
    inbound: z.array(Rule).describe("Rules."),
    outbound: z.array(Rule).optional(),
    named: z.record(z.string(), Rule).optional(),
    data: z.record(z.string(), z.unknown()).optional().meta({ opaque: true }),
    hints: z.array(z.unknown()).optional().meta({ opaque: true }),
    access: z.strictObject({ pass_word: z.string().meta({ secret: true }) }).optional(),
    either: z.union([z.string(), z.boolean()]).optional(),
    only: z.literal("yes").optional(),
    group: z.string().optional().meta({ deprecated: true }).describe("Old; tags replace it."),
    token_hint: z.string().optional(),
    hurry: z.boolean().default(false),
  }),
  outputs: z.strictObject({
    id: Id,
    label: z.string(),
    size: z.int(),
    compute_id: Id.nullable(),
    status: z.enum(["new", "done", "bad"]).describe("How far it is."),
    updated: z.string().meta({ volatile: true }),
    ca_key: z.string().meta({ secret: true }),
    note: z.string().optional(),
  }),
  identity: { area: "volumes", autoname: "label", lostCreate: { match: ["label"] } },
  fields: {
    label: "edit",
    region: "replace",
    size: "edit",
    compute_id: "edit",
    tags: "edit",
    inbound: "edit",
    outbound: "edit",
    named: "edit",
    data: "edit",
    hints: "edit",
    access: "edit",
    either: "edit",
    only: "edit",
    group: "edit",
    token_hint: { change: "writeOnly", note: "it was used up" },
    hurry: "local",
  },
  steps: { edit: { run: async () => undefined } },
  readiness: { byStatus: { new: "wait", done: "ready", bad: "failed" } },
  timeouts: { create: 90 },
  create: async () => ({ volumeId: 1 }),
};

const schema = packageSchema({ Gadget: gadget }, about);
const spec = schema.resources["cloudinfra:index:Gadget"];

test("describes an input, its constraints and the effect of a change", () => {
  const { label, region, size, computeId, tags, tokenHint, hurry, group } = spec?.inputProperties ?? {};
  expect(label?.description).toBe(
    "Name; not `openPorts`. Must have 3 to 32 characters. Must contain only small letters. If omitted, the resource's name with a random suffix, which is not managed after creation.",
  );
  expect(region).toMatchObject({
    description: "Where it is. Must be the id of one of the available regions. Changing this replaces the gadget.",
    replaceOnChanges: true,
    willReplaceOnChanges: true,
  });
  expect(size).toEqual({
    type: "integer",
    default: 20,
    description: "Size in GiB. Must be between 10 and 99. Defaults to `20`.",
  });
  expect(computeId).toEqual({
    type: "string",
    language: { nodejs: { nullable: true, numbers: "id" } },
    description: "Instance that holds it. Must be a number or the `id` of a resource. Set to `null` to clear it.",
  });
  expect(tags?.description).toContain("3 to 50 characters");
  expect(tokenHint?.description).toBe("Write-only: it was used up. Later changes have no effect.");
  expect(hurry?.description).toBe("Defaults to `false`.");
  expect(group).toMatchObject({ deprecationMessage: "Old; tags replace it." });
});

test("requires inputs that have neither a default nor a generated name and are not optional", () => {
  expect(spec?.requiredInputs).toEqual(["region", "inbound"]);
});

test("state holds the inputs and the outputs that are not volatile", () => {
  const names = Object.keys(spec?.properties ?? {});
  expect(names).toEqual(expect.arrayContaining(["status", "caKey", "note", "region", "data"]));
  expect(names).not.toContain("id");
  expect(names).not.toContain("updated");
  expect(spec?.required).toEqual(["label", "size", "status", "caKey", "region", "inbound", "hurry"]);
  expect(spec?.properties.computeId).toMatchObject({ type: "string", language: { nodejs: { nullable: true } } });
});

test("marks secrets in inputs and outputs, including nested ones", () => {
  expect(spec?.properties.caKey?.secret).toBe(true);
  expect(spec?.inputProperties.access?.secret).toBe(true);
  expect(spec?.properties.access?.secret).toBe(true);
});

test("an asset replaces the object when its content changes, and its computed hash is not an input", () => {
  const photo = {
    ...gadget,
    inputs: z.strictObject({
      source: Asset.optional().meta({ toldBy: "hash" }).describe("Content of the photo."),
      hash: z.string().optional().meta({ computed: true }),
    }),
    outputs: z.strictObject({ id: Id }),
    identity: { area: "volumes", lostCreate: "repeat" },
    fields: { source: "local", hash: "replace" },
  } as object as Kind;
  const made = packageSchema({ Photo: photo }, about);
  const { inputProperties, properties } = made.resources["cloudinfra:index:Photo"] ?? {};
  expect(inputProperties).toEqual({
    source: {
      $ref: "pulumi.json#/Asset",
      description:
        "Content of the photo. Must be a FileAsset, StringAsset or RemoteAsset. Changing the content replaces the photo.",
    },
  });
  expect(Object.keys(properties ?? {})).toEqual(["source", "hash"]);
  const file = sdkFiles(made)["sdk/photo.ts"];
  expect(file).toContain("source?: pulumi.Input<pulumi.asset.Asset> | undefined;");
  expect(file).toContain(
    "declare readonly source: pulumi.Output<{ path?: string; text?: string; uri?: string } | undefined>;",
  );
  expect(file).toContain('"assets":["source"]');
});

test("a shape has one name however often it is used", () => {
  expect(Object.keys(schema.types).map((token) => token.split(":").at(-1))).toEqual([
    "GadgetAccess",
    "GadgetInbound",
    "GadgetInboundLevel",
    "GadgetOnly",
    "GadgetStatus",
  ]);
  const rule = { $ref: "#/types/cloudinfra:index:GadgetInbound" };
  const { inbound, outbound, named, data, hints, either } = spec?.inputProperties ?? {};
  expect([inbound?.items, outbound?.items, named?.additionalProperties]).toEqual([rule, rule, rule]);
  expect(data).toMatchObject({ type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } });
  expect(hints).toMatchObject({ type: "array", items: { $ref: "pulumi.json#/Any" } });
  expect(either?.oneOf).toEqual([{ type: "string" }, { type: "boolean" }]);
  expect(schema.types["cloudinfra:index:GadgetInboundLevel"]).toEqual({
    type: "string",
    enum: [
      { name: "Low", value: "low" },
      { name: "Ipv6Pool", value: "ipv6/pool" },
    ],
  });
});

test("describes the readiness, the timeouts and the ID of a resource", () => {
  expect(spec?.description).toContain("Waits until the status is `done`. Fails if the status becomes `bad`.");
  expect(spec?.description).toContain("create 1.5, update 10, delete 10");
  expect(spec?.description).toContain("`{volumeId}`");
});

test("inputs with a default are optional in arguments and always set in outputs", () => {
  const text = sdkFiles(schema)["sdk/types.ts"] ?? "";
  expect(text).toContain("openPorts?: pulumi.Input<pulumi.Input<number>[]> | undefined;");
  expect(text).toMatch(
    /export interface GadgetInbound \{[^}]*openPorts: number\[\];[^}]*spare\?: string \| undefined;/,
  );
  expect(sdkFiles(schema)["sdk/gadget.ts"]).toContain("declare readonly computeId: pulumi.Output<number | null>;");
});

test("names a type that the generator does not support", () => {
  const inputs = z.strictObject({ when: z.date() });
  const odd = { ...gadget, inputs, outputs: z.strictObject({ id: Id }), changes: { when: "edit" } };
  expect(() => packageSchema({ Gadget: odd }, about)).toThrow(
    'GadgetWhen: the generator knows no type for zod\'s "date"',
  );
});

test("a type that several kinds share keeps its name when a kind is added at the end", () => {
  const types = (made: Record<string, Kind>) => Object.keys(packageSchema(made, about).types);
  const added = { ...gadget, name: "Appliance" };
  expect(types({ Gadget: gadget, Appliance: added })).toEqual(types({ Gadget: gadget }));
  expect(Object.keys(packageSchema({ ...kinds, Appliance: added }, about).resources)[1]).toBe(
    "cloudinfra:index:Appliance",
  );
});

const root = mkdtempSync(join(tmpdir(), "generate-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a kind is deprecated if the operation that creates its objects is", () => {
  const deprecation = ({ area }: { area: string }) => {
    const kind: Kind = { ...gadget, identity: { ...gadget.identity, area } };
    return sdkFiles(packageSchema({ Gadget: kind }, about))["sdk/gadget.ts"]?.includes(
      "@deprecated The service will remove",
    );
  };
  expect([deprecation({ area: "entityTransfers" }), deprecation({ area: "volumes" })]).toEqual([true, false]);
});

test("writes files once, reports those that differ, and removes those that are no longer generated", async () => {
  for (const file of ["package.json", "biome.json"]) cpSync(join(repository, file), join(root, file));
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  mkdirSync(join(root, "sdk"));
  writeFileSync(join(root, "sdk/dynamic.ts"), "// by hand\n");
  writeFileSync(join(root, "sdk/old.ts"), MARK);
  const client = ["provider/client/areas.ts", "provider/client/records.ts"];
  const sdk = ["sdk/gadget.ts", "sdk/index.ts", "sdk/old.ts", "sdk/types.ts"];
  const reference = ["README", "records", ...Object.keys(operations).map(kebab)].map((page) => `api/${page}`);
  const pages = ["cli", "configuration", "emulator-control", "events", "resources/README", "resources/gadget"];
  const docs = [...reference, ...pages].map((page) => `docs/${page}.md`).sort();
  const all = [...docs, "drift.schema.json", ...client, "schema.json", ...sdk, "test/lifecycle/kinds/index.ts"];
  expect(await generate(root, { Gadget: gadget }, { check: true })).toEqual(all);
  expect(await generate(root, { Gadget: gadget })).toEqual(all);
  expect(await generate(root, { Gadget: gadget }, { check: true })).toEqual([]);
  expect(readFileSync(join(root, "sdk/dynamic.ts"), "utf8")).toBe("// by hand\n");
  expect(readFileSync(join(root, "sdk/index.ts"), "utf8")).toBe(
    `${MARK}export * from "./gadget";\nexport * as types from "./types";\n`,
  );
  const renaming = { Appliance: { ...gadget, name: "Appliance" }, Gadget: gadget };
  await expect(generate(root, renaming)).rejects.toThrow(
    /^Programs may use types that this would rename: GadgetAccessArgs to ApplianceAccessArgs, .* add a new kind at its end\./,
  );
  const file = join(root, "sdk/types.ts");
  const types = readFileSync(file, "utf8");
  const [rule = ""] = /(?<=export interface GadgetInbound) \{[^}]*\}/.exec(types) ?? [];
  const former = types.replace(/export interface GadgetInbound \{[^}]*\}\s+/, "");
  writeFileSync(file, former.replace(/(?<=export interface GadgetAccess) \{[^}]*\}/, rule));
  await expect(generate(root, { Gadget: gadget })).rejects.toThrow("would rename: GadgetAccess to GadgetInbound.");
});
