import { expect, test } from "vitest";
import { ApiError } from "../../../provider/client/errors";
import { create, predictCreated } from "../../../provider/engine/create";
import { MissingError } from "../../../provider/engine/errors";
import { UNKNOWN } from "../../../provider/engine/values";
import { Service, widget, widgetDefinition } from "./widgets";

const { fields, steps } = widgetDefinition;
const want = { label: "data", size: 20 };

test("a create waits until the object is ready, then runs the steps that are due", async () => {
  const service = new Service();
  const created = await create(widget(), service.host(), { ...want, tags: ["a"] });
  expect(service.calls).toEqual(['create {"label":"data","size":20}', 'update 1 {"tags":["a"]}']);
  expect(created).toMatchObject({ id: "1", outs: { label: "data", size: 20, tags: ["a"] } });
  expect(created.outs).not.toHaveProperty("visits");
});

test("a step with `afterCreate` runs for inputs that the API does not return", async () => {
  const service = new Service();
  const passwords: unknown[] = [];
  const secure = {
    run: async ({ changed }: { changed: { password?: string } }) => void passwords.push(changed.password),
    afterCreate: true,
  };
  await create(widget(), service.host(), { ...want, password: "s3cret" });
  expect(passwords).toEqual([]);
  await create(widget({ fields, steps: { ...steps, secure } as never }), service.host(), {
    label: "other",
    size: 20,
    password: "s3cret",
  });
  expect(passwords).toEqual(["s3cret"]);
});

test("a failure after the object has an id keeps the id, and the next update finishes the object", async () => {
  const service = new Service();
  service.fail("update", new Error("refused"));
  await expect(create(widget(), service.host(), { ...want, tags: ["a"] })).rejects.toMatchObject({
    name: "InitFailed",
    id: "1",
    outs: { label: "data", tags: [] },
  });
});

test("an object that is deleted before it is ready is not in state", async () => {
  const service = new Service();
  const kind = widget({
    async create() {
      return { volumeId: service.add({ id: 77 }).id };
    },
  });
  await expect(create(kind, service.host(), want)).rejects.toThrow(
    'Widget "data" (77) disappeared before it became ready',
  );
});

test("an object stays in the state if it is not certain that it was deleted", async () => {
  const service = new Service();
  const edit = {
    run: async () => {
      service.fail("view", new ApiError("volumes.view", 500, [{ reason: "Internal error" }]));
      throw new MissingError("Instance 7");
    },
  };
  const kind = widget({ steps: { ...steps, edit } as never });
  await expect(create(kind, service.host(), { ...want, tags: ["a"] })).rejects.toMatchObject({
    name: "InitFailed",
    id: "1",
  });
});

test("a preview contains only the declared inputs of a new object", () => {
  expect(predictCreated(widget(), want)).toEqual({
    label: "data",
    size: 20,
    region: UNKNOWN,
    tags: UNKNOWN,
    status: UNKNOWN,
  });
});
