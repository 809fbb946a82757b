import { expect, test } from "vitest";
import { kebab } from "../../../api";
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
