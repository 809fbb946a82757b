import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { expect, test } from "vitest";
import { fromStruct, toStruct } from "../../provider/plugin/values";
import { responseTo } from "../../testing/native-plugin";
import { stage, urnOf } from "./native-calls";

const { PROPOSE, ENFORCE, DISABLE } = pb.CheckRequest.AutonamingOptions.Mode;

async function named(
  kind: string,
  inputs: object,
  mode: 0 | 1 | 2,
  proposed: string,
  { settings = {}, olds = {} } = {},
) {
  await using it = await stage(settings);
  const client = await it.start();
  const naming = new pb.CheckRequest.AutonamingOptions().setProposedName(proposed).setMode(mode);
  const request = new pb.CheckRequest()
    .setUrn(urnOf(kind, "web"))
    .setNews(toStruct({ ...inputs }))
    .setOlds(toStruct(olds));
  const response = await responseTo<pb.CheckResponse>((callback) =>
    client.check(request.setAutonaming(naming), callback),
  );
  const { label, __autonamed } = fromStruct(response.getInputs()).bag;
  return { label, __autonamed, failures: response.getFailuresList().map((failure) => failure.toObject()) };
}
const region = { region: "us-east" };

test("a valid proposed name is used, without the prefix of generated labels", async () => {
  const value = await named("Volume", region, PROPOSE, "shop-web-4f2a", { settings: { label_prefix: "team-" } });
  expect(value).toEqual({ label: "shop-web-4f2a", __autonamed: true, failures: [] });
});

test("a proposed name that is not valid for the kind is adapted, and an enforced one is rejected", async () => {
  const { label, failures } = await named("Volume", region, PROPOSE, "shop/web.1 4f2a");
  expect(label).toMatch(/^shop-web-1-4f2a-[0-9a-f]{7}$/);
  expect(failures).toEqual([]);
  const enforced = await named("Volume", region, ENFORCE, "shop/web");
  expect(enforced).toMatchObject({
    label: "shop/web",
    failures: [{ property: "label", reason: expect.stringMatching(/^must start with a letter .*given "shop\/web"/) }],
  });
});

test("an enforced name is used exactly", async () => {
  expect(await named("Volume", region, ENFORCE, "web")).toEqual({ label: "web", __autonamed: true, failures: [] });
});

test("without generated names, the program must set one", async () => {
  const failures = [{ property: "label", reason: "is required, because pulumi:autonaming disables generated names" }];
  expect((await named("Volume", region, DISABLE, "")).failures).toEqual(failures);
  const instance = { ...region, type: "g6-nanode-1" };
  expect((await named("Instance", instance, DISABLE, "")).failures).toEqual(failures);
  expect(await named("Volume", { ...region, label: "data" }, DISABLE, "")).toMatchObject({
    label: "data",
    failures: [],
  });
  // Kinds whose names are never generated are not concerned.
  expect((await named("ManagedContact", { name: "Ops" }, DISABLE, "")).failures).toEqual([]);
});

test("an existing object keeps its name, and a name in the program takes precedence", async () => {
  const olds = { ...region, size: 20, label: "web-1a2b3c4" };
  for (const mode of [PROPOSE, ENFORCE, DISABLE])
    expect(await named("Volume", region, mode, "other", { olds })).toMatchObject({
      label: "web-1a2b3c4",
      failures: [],
    });
  expect(await named("Volume", { ...region, label: "data" }, ENFORCE, "other")).toMatchObject({ label: "data" });
});
