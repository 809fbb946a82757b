import { expect, test } from "vitest";
import { z } from "zod";
import { LostResponseError } from "../../../provider/client/errors";
import { diff } from "../../../provider/engine/diff";
import { InitFailed } from "../../../provider/engine/errors";
import { predictUpdated, update } from "../../../provider/engine/update";
import { UNKNOWN } from "../../../provider/engine/values";
import { Service, widget, widgetDefinition } from "./widgets";

const { fields } = widgetDefinition;
const steps = widgetDefinition.steps as NonNullable<typeof widgetDefinition.steps>;
const declared = { label: "data", size: 20 };

test("a diff has the steps in the order of the definition", () => {
  expect(diff(widget(), declared, { size: 40, label: "new" })).toMatchObject({ steps: ["edit", "grow"], replaces: [] });
  expect(diff(widget(), declared, declared)).toMatchObject({ steps: [], changed: [] });
});

test("a replacement deletes first if the name is declared, or as `replaceOrder` requires", () => {
  const want = { ...declared, region: "eu" };
  const from = { ...declared, region: "us" };
  expect(diff(widget(), from, want)).toMatchObject({ replaces: ["region"], deleteBeforeReplace: true });
  expect(diff(widget(), from, want, { autonamed: true }).deleteBeforeReplace).toBe(false);
  expect(diff(widget({ delete: { replaceOrder: "createFirst" } }), from, want).deleteBeforeReplace).toBe(false);
  const first = diff(widget({ delete: { replaceOrder: "deleteFirst" } }), from, want, { autonamed: true });
  expect(first.deleteBeforeReplace).toBe(true);
});

test("`replaceUnless` allows changes in place for certain values of the inputs", () => {
  const kind = widget({ fields: { ...fields, label: { change: "edit", replaceUnless: { size: 40 } } } });
  expect(diff(kind, { label: "a" }, { label: "b", size: 20 }).replaces).toEqual(["label"]);
  expect(diff(kind, { label: "a" }, { label: "b", size: 40 })).toMatchObject({ replaces: [], steps: ["edit", "grow"] });
});

test("an update sends only inputs that differ from the object", async () => {
  const service = new Service();
  service.add({ label: "data", size: 40 });
  const outs = await update(widget(), service.host(), "1", declared, { label: "new", size: 40 });
  expect(service.calls).toEqual(['update 1 {"label":"new"}']);
  expect(outs).toMatchObject({ label: "new", size: 40 });
});

test("a step runs if `when` returns true, even without a change", async () => {
  const service = new Service();
  service.add({ visits: 1 });
  const finish = {
    when: ({ visits }: { visits?: number }) => visits === 1,
    run: async () => void service.add({ label: "ran" }),
  };
  await update(widget({ steps: { ...steps, finish } as never }), service.host(), "1", declared, {});
  expect([...service.rows.values()].some(({ label }) => label === "ran")).toBe(true);
});

test("a step whose response was lost runs again only if it is still due", async () => {
  const service = new Service();
  service.add({ label: "data" });
  service.lose("resize");
  await update(widget(), service.host(), "1", declared, { label: "data", size: 40 });
  expect(service.calls).toEqual(['resize 1 {"size":40}']);
});

test("a step whose response was lost at the time limit does not run again", async () => {
  const service = new Service();
  service.add({ label: "data" });
  service.fail("resize", new LostResponseError("volumes.resize", "socket closed", undefined));
  const host = service.host({ deadline: service.now });
  await expect(update(widget(), host, "1", declared, { ...declared, size: 40 })).rejects.toThrow("socket closed");
  expect(service.calls).toEqual([]);
});

test("a failed update keeps the values that a step has stored in state", async () => {
  const service = new Service();
  service.add({ label: "data" });
  service.fail("resize", new Error("no space"));
  const secure = {
    ...steps.secure,
    run: async ({ setState }: { setState(values: object): void }) => setState({ password: "set" }),
  };
  const kind = widget({ steps: { secure, edit: steps.edit, grow: steps.grow } as never });
  const failure = await update(kind, service.host(), "1", declared, { ...declared, password: "set", size: 40 }).catch(
    (error) => error,
  );
  expect(failure).toBeInstanceOf(InitFailed);
  expect(failure).toMatchObject({ id: "1", outs: { password: "set" }, message: "no space" });
});

test("a preview of an update keeps the outputs that the change does not affect", () => {
  const state = { ...declared, region: "us", tags: ["a"], status: "active" };
  expect(predictUpdated(widget(), state, { ...declared, tags: ["b"] })).toEqual({ ...state, tags: ["b"] });
  const grows = widget({ fields: { ...fields, size: { change: "grow", touches: ["status"] } } });
  expect(predictUpdated(grows, state, { ...declared, size: 40 })).toEqual({ ...state, size: 40, status: UNKNOWN });
});

test("an update does not undo what changes outside the program while it runs", async () => {
  const service = new Service();
  const row = service.add({ label: "data", size: 20 });
  const edit = { run: async ({ changed }: { changed: object }) => void Object.assign(row, changed, { size: 60 }) };
  const kind = widget({ steps: { ...steps, edit } as never });
  const outs = await update(kind, service.host(), "1", declared, { label: "new", size: 20 });
  expect(service.calls).toEqual([]);
  expect([row.size, outs.size]).toEqual([60, 20]);
});

test("an input that the API does not return and that is cleared is sent again if its response was lost", async () => {
  const service = new Service();
  service.add({ label: "data" });
  const inputs = widgetDefinition.inputs.extend({ password: z.string().nullable().optional() });
  const secure: (typeof steps)["secure"] = { run: ({ api, path }) => api.volumes.update({ path, body: {} }) };
  const kind = widget({ inputs, steps: { ...steps, secure } } as never);
  service.fail("update", new LostResponseError("volumes.update", "socket closed", undefined));
  await update(kind, service.host(), "1", { ...declared, password: "x" }, { ...declared, password: null });
  expect(service.calls).toEqual(["update 1 {}"]);
});
