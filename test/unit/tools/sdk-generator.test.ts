import { expect, test } from "vitest";
import { z } from "zod";
import { type AreaName, Id } from "../../../api";
import type { Kind } from "../../../provider/engine/definition";
import { kinds } from "../../../provider/resources";
import { Asset } from "../../../provider/resources/content";
import { packageSchema } from "../../../tools/generate/schema";
import { sdkFiles } from "../../../tools/generate/sdk";
import { gadget } from "./gadget";

const about = {
  version: "1.2.3",
  keywords: ["cloud"],
  license: "Apache-2.0",
  homepage: "https://example.org",
  repository: { url: "git+https://github.com/example/example.git" },
};

const schema = packageSchema({ Gadget: gadget }, about);
const spec = schema.resources["cloudinfra:index:Gadget"];

test("describes an input, its constraints and the effect of a change", () => {
  const { label, region, size, computeId, tags, tokenHint, hurry, group } = spec?.inputProperties ?? {};
  expect(label?.description).toBe(
    "Name; not `openPorts`. Must have 3 to 32 characters. Must contain only small letters. Defaults to the resource's name with a random suffix, which is not managed after creation.",
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

test("state contains the inputs, and the outputs that are not volatile", () => {
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
      source: Asset.optional().meta({ hashedIn: "hash" }).describe("Content of the photo."),
      hash: z.string().optional().meta({ computed: true }),
    }),
    outputs: z.strictObject({ id: Id }),
    identity: { area: "volumes", lostCreate: "repeat" },
    fields: { source: "local", hash: "replace" },
  } as object as Kind;
  const created = packageSchema({ Photo: photo }, about);
  const { inputProperties, properties } = created.resources["cloudinfra:index:Photo"] ?? {};
  expect(inputProperties).toEqual({
    source: {
      $ref: "pulumi.json#/Asset",
      description:
        "Content of the photo. Must be a FileAsset, StringAsset or RemoteAsset. Changing the content replaces the photo.",
    },
  });
  expect(Object.keys(properties ?? {})).toEqual(["source", "hash"]);
  const { "sdk/photo.ts": file, "sdk/types.ts": types } = sdkFiles(created);
  expect(file).toContain("source?: pulumi.Input<pulumi.asset.Asset> | undefined;");
  expect(file).toContain('"assets":["source"]');
  // The service adds nothing to an asset, so it is known in the preview of a change.
  expect(file).not.toContain("completed");
  // An asset is read as an object, because SDKs cannot read an asset that the plugin returns without Pulumi's signature.
  expect(properties?.source).toEqual({
    $ref: "#/types/cloudinfra:index:AssetValue",
    description: "Content of the photo.",
  });
  expect(file).toContain("declare readonly source: pulumi.Output<types.AssetValue | undefined>;");
  expect(types).toMatch(
    /export interface AssetValue \{[^}]*path\?: string \| undefined;[^}]*text\?: string \| undefined;[^}]*uri\?: string \| undefined;/,
  );
});

test("a type has one name, however often it is used", () => {
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
    description: "Value of `GadgetInboundLevel`.",
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

test("reports a type that the generator does not support", () => {
  const inputs = z.strictObject({ when: z.date() });
  const odd = { ...gadget, inputs, outputs: z.strictObject({ id: Id }), changes: { when: "edit" } };
  expect(() => packageSchema({ Gadget: odd }, about)).toThrow(
    'GadgetWhen: the generator knows no type for zod\'s "date"',
  );
});

test("a type that several kinds have in common keeps its name when a kind is added at the end", () => {
  const types = (created: Record<string, Kind>) => Object.keys(packageSchema(created, about).types);
  const added = { ...gadget, name: "Appliance" };
  expect(types({ Gadget: gadget, Appliance: added })).toEqual(types({ Gadget: gadget }));
  expect(Object.keys(packageSchema({ ...kinds, Appliance: added }, about).resources)[1]).toBe(
    "cloudinfra:index:Appliance",
  );
});

test("a kind is deprecated if the operation that creates its objects is", () => {
  const deprecation = ({ area }: { area: AreaName }) => {
    const kind: Kind = { ...gadget, identity: { ...gadget.identity, area } };
    return sdkFiles(packageSchema({ Gadget: kind }, about))["sdk/gadget.ts"]?.includes(
      "@deprecated The service will remove",
    );
  };
  expect([deprecation({ area: "entityTransfers" }), deprecation({ area: "volumes" })]).toEqual([true, false]);
});
