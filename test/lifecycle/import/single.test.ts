import { expect, test } from "vitest";
import { kebab } from "../../../api";
import { cloud } from "../../../testing/cloud";
import { objects, scenario } from "../scenario";
import { Project } from "./project";

test.each(objects)("%s can be imported by its id", async (name) => {
  await using it = await scenario(name);
  await it.managed.up(it.fixture.base);
  const project = new Project(it);
  const { resources, unread } = await project.import({ objects: [`${kebab(name)}/${it.managed.id}`] });
  expect(unread).toEqual([]);
  expect(resources.map(({ kind, resource }) => `${kind} ${resource.id}`)).toEqual([`${name} ${it.managed.id}`]);
  expect(await project.changes()).toEqual([]);
});

test("an object that is named twice, by its label and by its id, is imported once", async () => {
  await using it = await cloud();
  const { id } = await it.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
  const { resources } = await new Project(it).import({
    objects: ["volume/data", `volume/${id}`, `volume-clone/${id}`],
  });
  expect(resources.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["Volume data"]);
});
