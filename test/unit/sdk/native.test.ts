import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import * as native from "../../../sdk/native";

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}_id`, state: inputs }),
    call: ({ inputs }) => ({ ...inputs, computeId: "web_id", id: "7" }),
  }),
);

const resolved = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

test("ids of native resources are numbers, and in tests with mocks other texts stay unchanged", async () => {
  const web = new native.Instance("web", { region: "us-east", type: "g6-nanode-1" });
  expect(await resolved(new native.Volume("data", { computeId: web.id }).computeId)).toBe("web_id");
  expect(await resolved(new native.Volume("log", { computeId: "7" }).computeId)).toBe(7);
  expect(await native.getVolume({ volumeId: 3 })).toMatchObject({ id: 7, computeId: "web_id" });
  expect(await resolved(native.getVolumeOutput({ volumeId: web.id }))).toMatchObject({ id: 7, computeId: "web_id" });
});
