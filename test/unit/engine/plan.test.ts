import { expect, test } from "vitest";
import { z } from "zod";
import { ApiError } from "../../../provider/client/errors";
import { check } from "../../../provider/engine/check";
import { plan } from "../../../provider/engine/plan";
import { UNKNOWN } from "../../../provider/engine/values";
import { Service, widget, widgetDefinition } from "./widgets";

const { fields, steps } = widgetDefinition;
const declared = { label: "data", size: 20 };
const state = { ...declared, region: "us-east", tags: ["a"], status: "active" };

test("a check fills in name and defaults, and reports every problem at once", async () => {
  const host = new Service().host();
  const named = await check(widget(), host, "web", {}, {});
  expect(named).toMatchObject({ autonamed: true, failures: [], inputs: { size: 20 } });
  const { failures } = await check(widget(), host, "web", {}, { label: "x", size: 5, colour: "red" });
  expect(failures.map(({ path, reason, value }) => `${path} ${reason}: ${value}`).join("; ")).toMatch(
    /label must .*: "x"; size must be at least 10: 5.*colour is not a known field: undefined/,
  );
});

test("a check does not change unknown values", async () => {
  const found = await check(widget(), new Service().host(), "web", {}, { label: UNKNOWN, size: UNKNOWN });
  expect(found).toMatchObject({ failures: [], inputs: { label: UNKNOWN, size: UNKNOWN } });
});

test("a check looks up the changed ids of a catalogue, and names the input of an unknown one", async () => {
  const catalogues = {
    problem: async (name: string, id: string) => (id === "us-east" ? undefined : `is not in ${name}`),
    within: () => catalogues,
  };
  const host = new Service().host({ catalogues });
  const region = z.string().optional().meta({ catalogue: "regions" });
  const kind = widget({ inputs: widgetDefinition.inputs.extend({ region }) as never });
  const failures = async (was: object, region: string) =>
    (await check(kind, host, "web", { ...was }, { ...declared, region })).failures;
  expect(await failures({}, "us-east")).toEqual([]);
  expect(await failures({}, "mars")).toEqual([{ path: ["region"], reason: "is not in regions", value: '"mars"' }]);
  expect(await failures({ ...declared, region: "mars" }, "mars"), "an unchanged id").toEqual([]);
});

test("`checks.onChange` applies to updates, not to replacements", async () => {
  const onChange = [
    function* ({ size }: { size: number }, was: { size?: number }) {
      if (was.size && size < was.size) yield { path: ["size"], reason: "must not shrink" };
    },
  ];
  const kind = widget({ checks: { onChange } as never });
  const host = new Service().host();
  const shrunk = await check(kind, host, "web", { label: "data", size: 40 }, { label: "data", size: 20 });
  expect(shrunk.failures).toEqual([{ path: ["size"], reason: "must not shrink", value: "20" }]);
  const moved = { label: "data", size: 20, region: "eu" };
  expect((await check(kind, host, "web", { label: "data", size: 40, region: "us" }, moved)).failures).toEqual([]);
});

test("`checks.onCreate` warns about a create, or rejects it; `checks.resolve` computes inputs", async () => {
  const host = new Service().host();
  const reboots = { warns: "that a machine reboots", check: async () => "a machine reboots" };
  const isFull = { rejects: "in a full region", check: async () => ({ path: ["region"], reason: "is full" }) };
  const warned = widget({ checks: { onCreate: [reboots], resolve: async () => ({ inputs: { region: "eu" } }) } });
  expect(await check(warned, host, "web", {}, declared)).toMatchObject({
    warnings: ["a machine reboots"],
    inputs: { region: "eu" },
  });
  expect((await check(warned, host, "web", declared, declared)).warnings).toEqual([]);
  const rejected = await check(widget({ checks: { onCreate: [isFull, reboots] } }), host, "web", {}, declared);
  expect(rejected.failures).toEqual([{ path: ["region"], reason: "is full" }]);
  expect(rejected.warnings, "the create has no side effects").toEqual([]);
});

test("a plan has the JSON pointer of every difference, and never a secret", async () => {
  const service = new Service();
  service.add({ label: "data" });
  const want = { label: "data", size: 40, tags: ["a", "b"], password: "new secret" };
  const found = await plan(widget(), service.host(), "1", { ...state, password: "old secret" }, want);
  expect(found.changes).toEqual([
    { path: "/tags/1", change: "add", after: '"b"' },
    { path: "/size", change: "replace", before: "20", after: "40" },
    { path: "/password", change: "replace", before: "[secret]", after: "[secret]" },
  ]);
  expect(found.steps).toEqual(["edit", "grow", "secure"]);
  expect(JSON.stringify(found.changes)).not.toMatch(/old secret|new secret/);
});

test("an unknown value is printed as unknown", async () => {
  const service = new Service();
  service.add();
  const { changes } = await plan(widget(), service.host(), "1", state, { size: UNKNOWN });
  expect(changes).toEqual([{ path: "/size", change: "replace", before: "20", after: "not known yet" }]);
});

test("a missing object is created again, as the plan shows", async () => {
  const found = await plan(widget(), new Service().host(), "1", state, { ...declared, size: 40 });
  expect(found).toMatchObject({ replaces: ["size"], deleteBeforeReplace: true });
  expect(found.warnings).toEqual([
    'Widget "data" (1) no longer exists: it was deleted outside this program. It will be created again',
  ]);
});

test("a plan whose read fails continues as if the object exists", async () => {
  const service = new Service();
  service.fail("view", new ApiError("volumes.view", 500, [{ reason: "Internal error" }]));
  const found = await plan(widget(), service.host(), "1", state, { ...declared, size: 40 });
  expect(found).toMatchObject({ steps: ["grow"], replaces: [], warnings: [] });
});

test("a refresh plans no changes", async () => {
  const found = await plan(widget(), new Service().host(), "1", state, { size: 40 }, { refreshed: true });
  expect(found).toMatchObject({ changed: ["size"], warnings: [] });
});

test("warns about side effects of a step, and about changed write-only inputs", async () => {
  const service = new Service();
  service.add();
  const kind = widget({
    fields: { ...fields, password: { change: "writeOnly", note: "used only when it is created" } },
    steps: {
      ...steps,
      grow: {
        run: async () => undefined,
        preview: async ({ want }: { want: typeof declared }) => `reboots for ${want.size} GiB`,
      },
    } as never,
  });
  const host = service.host();
  const found = await plan(kind, host, "1", { ...state, password: "a" }, { ...declared, size: 40, password: "b" });
  expect(found.warnings).toEqual(["data: password changed: used only when it is created", "data: reboots for 40 GiB"]);
  expect(found).toMatchObject({ changed: ["size"], unapplied: ["password"] });
  const unknown = await plan(kind, host, "1", state, { ...declared, size: UNKNOWN });
  expect(unknown.warnings).toEqual(["data: the effects of the change are not known yet, because they depend on size"]);
});

test("an imported object is not replaced for a required input that the API never returns", async () => {
  const { inputs } = widgetDefinition;
  const source = { change: "replace", replaceReason: "a widget of another source is another widget" };
  const kind = widget({
    inputs: inputs.extend({ source_id: z.int() }),
    fields: { ...fields, source_id: source },
  } as never);
  const service = new Service();
  service.add();
  const planned = (before: object) =>
    plan(kind, service.host(), "1", { ...state, ...before }, { ...declared, source_id: 2 });
  expect((await planned({})).changes).toEqual([]);
  expect((await planned({ source_id: 1 })).replaces).toEqual(["source_id"]);
});
