import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import * as native from "../../../sdk/native";
import { providerInputs } from "../../../sdk/plugin";

const seen = new Map<string, pulumi.runtime.MockResourceArgs>();

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource(args) {
      seen.set(args.name, args);
      return { id: `${args.name}_id`, state: args.inputs };
    },
    call: ({ inputs }) => ({ ...inputs, computeId: "web_id", id: "7" }),
  }),
);

const resolved = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

async function inputsOf(resource: pulumi.Resource, name: string): Promise<object> {
  await resolved(resource.urn);
  return (seen.get(name) as pulumi.runtime.MockResourceArgs).inputs;
}

test("the token of a native provider is omitted if the configuration value is unset, and is secret otherwise", async () => {
  const url = "https://api.example/v4";
  const token = new pulumi.Config().getSecret("token");
  expect(await inputsOf(new native.Provider("unset", { url, token }), "unset")).toEqual({ url });
  const { token: set } = providerInputs({ token: "planted" });
  expect(await pulumi.isSecret(set)).toBe(true);
});

test("an explicit provider has only its own settings, not those of the stack", async () => {
  onTestFinished(() => pulumi.runtime.setAllConfig({}));
  pulumi.runtime.setAllConfig({ "cloudinfra:allowReboot": "forbid", "cloudinfra:defaultTags": '["production"]' });
  const settings = { url: "https://api.example/v4", rateLimit: 5 };
  expect(await inputsOf(new native.Provider("own", settings), "own")).toEqual({ ...settings, rateLimit: "5" });
});

test("ids of native resources are numbers, and in tests with mocks other texts stay unchanged", async () => {
  const web = new native.Instance("web", { region: "us-east", type: "g6-nanode-1" });
  expect(await resolved(new native.Volume("data", { computeId: web.id }).computeId)).toBe("web_id");
  expect(await resolved(new native.Volume("log", { computeId: "7" }).computeId)).toBe(7);
  expect(await native.getVolume({ volumeId: 3 })).toMatchObject({ id: 7, computeId: "web_id" });
  expect(await resolved(native.getVolumeOutput({ volumeId: web.id }))).toMatchObject({ id: 7, computeId: "web_id" });
});
