import * as pulumi from "@pulumi/pulumi";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { beforeAll, expect, test } from "vitest";
import { DynamicProvider } from "../../../provider/dynamic/provider";
import type { Kind } from "../../../provider/engine/definition";
import { handlerOf } from "../../../provider/pulumi/handle";
import { kinds } from "../../../provider/resources";
import { getLkeKubeconfigOutput, getVolume, getVolumeOutput, Instance, LkeCluster, Volume } from "../../../sdk";
import { dynamicProps, NAME } from "../../../sdk/dynamic";

const seen = new Map<string, pulumi.runtime.MockResourceArgs>();

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource(args) {
      seen.set(args.name, args);
      return { id: args.id || "7", state: { ...args.inputs, status: "active" } };
    },
    call: ({ inputs }) => inputs,
  }),
);

const resolved = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

async function registered(resource: pulumi.CustomResource, name: string) {
  await resolved(resource.urn);
  return seen.get(name) as pulumi.runtime.MockResourceArgs;
}

test("registers a resource with its inputs, its name and the code that loads its provider", async () => {
  const { type, inputs } = await registered(new Volume("data", { region: "eu-west", size: 20 }), "data");
  expect(type).toBe("pulumi-nodejs:dynamic/cloudinfra:Volume");
  expect(inputs).toEqual({
    region: "eu-west",
    size: 20,
    [NAME]: "data",
    __provider: 'exports.handler=()=>require("pulumi-cloudinfra/provider").Volume',
  });
});

test("outputs without an input resolve to the values from the provider", async () => {
  const volume = new Volume("log", { region: "eu-west" });
  expect(await resolved(volume.status)).toBe("active");
  expect(await resolved(volume.hardwareType)).toBeUndefined();
  expect(await resolved(volume.region)).toBe("eu-west");
});

test("get reads by id, declares nothing and passes the provider", async () => {
  const { id, inputs } = await registered(Volume.get("old", "42"), "old");
  expect(id).toBe("42");
  expect(inputs).toEqual({ __provider: 'exports.handler=()=>require("pulumi-cloudinfra/provider").Volume' });
});

test("rejects the import option, with the command to use instead", () => {
  expect(() => new Volume("data", { region: "eu-west" }, { import: "42" })).toThrow(
    'Volume "data": the import option does not work for dynamic resources. ' +
      'Run "npx cloudinfra adopt Volume data 42" instead, and remove the option.',
  );
});

/**
 * The arguments that a resource constructor passes to Pulumi, captured by a transformation. Pulumi's test mocks would
 * receive only resolved inputs.
 */
function watched(make: (opts: pulumi.CustomResourceOptions) => unknown) {
  const seen: pulumi.ResourceTransformationArgs[] = [];
  const watch: pulumi.ResourceTransformation = (args) => {
    seen.push(args);
    return undefined;
  };
  make({ transformations: [watch] });
  const [{ props, opts }] = seen as [pulumi.ResourceTransformationArgs];
  return { props, opts: opts as pulumi.CustomResourceOptions };
}

test("secret inputs are secret in whatever form the program passes them, and secret outputs are listed", async () => {
  const args = { region: "eu-west", type: "small", rootPass: "planted-secret" };
  const { props, opts } = watched((opts) => new Instance("web", args, { ...opts, additionalSecretOutputs: ["ipv4"] }));
  expect(await pulumi.isSecret(props.rootPass)).toBe(true);
  expect(props.region).toBe("eu-west");
  expect(opts.additionalSecretOutputs).toEqual(["rootPass", "stackscriptData", "ipv4"]);
});

test("secrets that the service generates are listed too", () => {
  const { opts } = watched((opts) => LkeCluster.get("cluster", "3", opts));
  expect(opts.additionalSecretOutputs).toEqual(["kubeconfig", "token", "caCertificate"]);
});

test("an input of undefined or null is not wrapped as a secret", async () => {
  const { inputs } = await registered(new Instance("bare", { region: "r", type: "t", rootPass: undefined }), "bare");
  expect(inputs).not.toHaveProperty("rootPass");
});

test("an asset is registered in the form in which it was created", async () => {
  const shape = { kind: "Photo", properties: [], secretInputs: [], secretOutputs: [], assets: ["source"] };
  const value = async (source: pulumi.Input<pulumi.asset.Asset> | undefined) => {
    const { source: asset } = dynamicProps(shape, "photo", { source });
    return JSON.parse(JSON.stringify((await resolved(pulumi.output(asset))) ?? null));
  };
  expect(await value(new pulumi.asset.FileAsset("a.txt"))).toEqual({ path: "a.txt" });
  expect(await value(pulumi.output("b").apply((text) => new pulumi.asset.StringAsset(text)))).toEqual({ text: "b" });
  expect(await value(Promise.resolve(new pulumi.asset.RemoteAsset("https://example.org/")))).toEqual({
    uri: "https://example.org/",
  });
  expect(await value(undefined)).toBeNull();
});

test("isInstance distinguishes resource classes", () => {
  const volume = new Volume("data");
  expect(Volume.isInstance(volume)).toBe(true);
  expect(Instance.isInstance(volume)).toBe(false);
  expect(Volume.isInstance(undefined)).toBe(false);
});

test.each(Object.keys(kinds))("the stored code of %s is its name and 58 bytes", (kind) => {
  expect(Buffer.byteLength(handlerOf(kind))).toBe(kind.length + 58);
});

test("the provider accepts the name under the key of the SDK, and does not store it", async () => {
  const provider = new DynamicProvider(kinds.Volume as Kind);
  await provider.configure({
    config: new Config({ "cloudinfra:url": "http://localhost/v4", "cloudinfra:token": "t", "aws:region": "x" }, "test"),
  });
  const { inputs, failures } = await provider.check({}, { [NAME]: "data", computeId: "7", __provider: "line" });
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ label: expect.stringMatching(/^data-/), computeId: 7, size: 20 });
  expect(inputs).not.toHaveProperty(NAME);
});

test("in a test with mocks, a function returns the result of the call mock", async () => {
  expect(await getVolume({ volumeId: 7 })).toEqual({ volumeId: 7 });
  const volume = new Volume("by function", { region: "eu-west" });
  const found = getVolumeOutput({ volumeId: volume.id }, { dependsOn: [volume] });
  expect(await resolved(found)).toEqual({ volumeId: "7" });
  expect(await pulumi.isSecret(found)).toBe(false);
});

test("a result that contains a secret is secret", async () => {
  expect(await pulumi.isSecret(getLkeKubeconfigOutput({ clusterId: 7 }))).toBe(true);
  expect(await pulumi.isSecret(getVolumeOutput({ label: pulumi.secret("planted") }))).toBe(true);
});

test("errors in a constructor and later errors have a stack trace of the program", () => {
  const limit = Error.stackTraceLimit;
  const nameless = (): Error => {
    try {
      new Volume("", { region: "eu-west" });
    } catch (error) {
      return error as Error;
    }
    throw new Error("a resource without a name was registered");
  };
  expect(nameless().stack).toMatch(/Missing resource name argument[\s\S]*at nameless .*sdk\.test\.ts/);
  expect(Error.stackTraceLimit).toBe(limit);
  expect(new Error("later").stack).toContain("sdk.test.ts");
});
