import { expect, test } from "vitest";
import { projectIn } from "../../../import";

const project = (text: string) => projectIn(new Map([["Pulumi.yaml", text]]));

test.each([
  ["name: shop\nruntime: nodejs\n", "dynamic"],
  [`name: "shop"\nruntime: { name: nodejs }\n`, "dynamic"],
  [
    "name: shop\nplugins:\n  providers:\n  - path: ./node_modules/pulumi-cloudinfra\n    name: 'cloudinfra'\n",
    "native",
  ],
  ["name: shop\npackages: { cloudinfra: ./node_modules/pulumi-cloudinfra }\n", "native"],
  ["name: shop\nplugins:\n  providers: [{ name: other, path: ./other }]\n", "dynamic"],
])("reads name and kind of resources from Pulumi.yaml, however it is written: %j", async (text, provider) => {
  expect(await project(text)).toEqual({ name: "shop", provider });
});

test("reports a Pulumi.yaml that is not valid", async () => {
  await expect(project("name: shop\nplugins: [\n")).rejects.toThrow(/^Pulumi\.yaml: .* at line \d+/);
});
