import { expect, test } from "vitest";
import { z } from "zod";
import { differences } from "../../../provider/engine/comparison";
import type { Kind } from "../../../provider/engine/definition";
import {
  displayNameOf,
  idFormat,
  idOf,
  idParts,
  isAction,
  isPart,
  parentInputs,
  parentPath,
  pathOf,
  recordParts,
} from "../../../provider/engine/identity";
import { autoname, withConfiguredDefaults, withoutName } from "../../../provider/engine/naming";
import { list } from "../../../provider/engine/records";
import { UNKNOWN } from "../../../provider/engine/values";
import { Service, widget, widgetDefinition } from "./widgets";

const { identity, fields } = widgetDefinition;
const record = widget({ identity: { ...identity, area: "domainRecords", parents: { region: "domainId" } } as never });

test("an id consists of the path parameters of the area's view operation", () => {
  expect(idFormat(record)).toBe("{domainId}/{recordId}");
  expect(idOf(record, { domainId: 12, recordId: 345 })).toBe("12/345");
  expect(pathOf(record, "12/345")).toEqual({ domainId: 12, recordId: 345 });
});

test("rejects an id in another format, with an example", () => {
  expect(() => pathOf(record, "twelve")).toThrow(
    'Widget: "twelve" is not a valid id; it must look like domainId/recordId, such as 12/345',
  );
});

test("`lookup` defines the parts of an id without a view operation, and the last one may contain slashes", () => {
  const path = z.strictObject({ bucket: z.string().min(1), name: z.string().min(1) });
  const kind = widget({ identity: { ...identity, lookup: { path, get: async () => undefined } } as never });
  expect(pathOf(kind, "photos/2026/cat.png")).toEqual({ bucket: "photos", name: "2026/cat.png" });
  expect(() => pathOf(kind, "photos")).toThrow("it must look like bucket/name");
  const lost = widget({ identity: { ...identity, area: "ipv6" } as never });
  expect(() => idParts(lost)).toThrow(
    "the API area ipv6 does not have a view operation, so the kind must declare identity.lookup",
  );
});

test("`parents` are inputs that are parts of the id", () => {
  expect(parentInputs(record, { domainId: 12, recordId: 3 })).toEqual({ region: 12 });
  expect(parentPath(record, { region: 12, label: "data" })).toEqual({ domainId: 12 });
});

test("`manages` adds objects of other kinds as parts, so that no other resource adopts them", () => {
  const [own, other] = [{ volumeId: 1 }, { domainId: 12, recordId: 345 }];
  const manages = () => [
    { area: "volumes", path: own },
    { area: "domainRecords", path: other },
  ];
  const kind = widget({ identity: { ...identity, manages } as never });
  const host = new Service().host();
  recordParts(kind, host, own, {}, {});
  expect([isPart(kind, host, own), isPart(record, host, other)]).toEqual([false, true]);
});

test("messages identify a resource by label and id, or by `displayName`", () => {
  const kind = widget();
  expect(displayNameOf({ kind, want: {} })).toBe("Widget");
  expect(displayNameOf({ kind, path: { volumeId: 7 }, want: {} })).toBe("Widget 7");
  expect(displayNameOf({ kind, path: { volumeId: 7 }, want: { label: "new" }, state: { label: "old" } })).toBe(
    'Widget "new" (7)',
  );
  const displayName = ({ size }: { size?: number | undefined }) => size && `widget of ${size} GiB`;
  const named = widget({ identity: { ...identity, displayName } as never });
  expect(displayNameOf({ kind: named, want: { size: 40 } })).toBe("widget of 40 GiB");
});

test("`autoname` generates a unique name, which the resource keeps", () => {
  const { inputs, autonamed } = autoname(widget(), "my web", {}, {}, "prod-");
  expect(inputs.label).toMatch(/^prod-my-web-[0-9a-f]{7}$/);
  expect(autonamed).toBe(true);
  expect(autoname(widget(), "my web", { label: "kept" }, {})).toEqual({ inputs: { label: "kept" }, autonamed: true });
  expect(autoname(widget(), "my web", {}, { label: "own" })).toEqual({ inputs: { label: "own" }, autonamed: false });
  expect(String(autoname(widget(), "x".repeat(90), {}, {}).inputs.label)).toHaveLength(32);
  const random = (size: number) => Buffer.alloc(size, 0xab);
  expect(autoname(widget(), "web", {}, {}, "", random).inputs).toEqual({ label: "web-abababa" });
});

test("an omitted name is not a difference", () => {
  expect(differences(widget(), { label: "a" }, { label: "b" }).size).toBe(1);
  expect(differences(withoutName(widget()), { label: "a" }, { label: "b" }).size).toBe(0);
  const { autoname: _, ...nameless } = identity;
  const kind = widget({ identity: nameless });
  expect(withoutName(kind)).toBe(kind);
});

test("`default` sets omitted inputs, and the stack adds tags", () => {
  const kind = widget({
    fields: { ...fields, region: { change: "replace", default: ({ label_prefix }) => label_prefix } },
  });
  const settings = { label_prefix: "eu", default_tags: ["Team", "own"] };
  expect(withConfiguredDefaults(kind, { settings }, { tags: ["own"] })).toEqual({
    region: "eu",
    tags: ["own", "Team"],
  });
  expect(withConfiguredDefaults(kind, { settings }, { region: "us", tags: UNKNOWN })).toEqual({
    region: "us",
    tags: UNKNOWN,
  });
  expect(withConfiguredDefaults(kind, { settings: {} }, {})).toEqual({});
});

test("filters a list by an input if the service compares it as the engine does", async () => {
  const service = new Service();
  service.add({ label: "data" });
  service.add({ label: "other" });
  const labels = async (kind: Kind) =>
    (await Array.fromAsync(list(kind, service.host(), {}, { label: "data" }))).map(({ label }) => label);
  expect(await labels(widget())).toEqual(["data"]);
  const caseless = widget({
    fields: { ...fields, label: { change: "edit", canonical: (label) => label.toLowerCase() } },
  });
  expect(await labels(caseless)).toEqual(["data", "other"]);
});

test("a kind whose triggers run a step after every create is an action", () => {
  expect(isAction(widget())).toBe(false);
  const steps = { run: { run: async () => undefined, afterCreate: true } };
  expect(isAction(widget({ fields: { ...fields, triggers: "run" }, steps } as never))).toBe(true);
  // A change of these triggers creates another object, as with a snapshot.
  expect(
    isAction(
      widget({
        fields: { ...fields, triggers: { change: "replace", replaceReason: "another one is asked for" } },
      } as never),
    ),
  ).toBe(false);
});
