import { expect } from "vitest";
import { fieldsOf, operations } from "../../../api";
import { grantedKinds } from "../../../emulator/core/core-tables";
import { messages, restricted, testsIn } from "../cloud";
import { type Account, freshAccount, type Plan } from "../matrix/plan";
import { plans } from "../matrix/plans";
import { type Input, request } from "../matrix/request";
import { updates } from "../matrix/updates";
import { proves } from "../proves";

const test = testsIn(freshAccount);

test("a granted volume shows a restricted user the id and label of a hidden instance", async (one) => {
  const [image, root_pass] = ["compute/debian11", "Correct-Horse-42"];
  const instance = { label: "hidden", region: "us-east", type: "g6-nanode-1", image, root_pass };
  const { id } = (await one.send("POST /compute/instances", { body: instance })).body;
  one.settle();
  const volume = (await one.send("POST /volumes", { body: { label: "data", compute_id: id } })).body;
  const token = await restricted(one, { entities: { volume: { [volume.id]: "read_only" } } });
  expect((await one.send(`GET /compute/instances/${id}`, { token })).status).toBe(404);
  const seen = (await one.send(`GET /volumes/${volume.id}`, { token })).body;
  expect([seen.compute_id, seen.compute_label]).toEqual([id, "hidden"]);
});

test("object storage does not check grants, so restricted users list buckets and create keys", async (one) => {
  await one.send("POST /object-storage/buckets", { body: { cluster: "us-east-1", label: "photos" } });
  const token = await restricted(one);
  expect((await one.send("GET /object-storage/buckets", { token })).body.results).toBe(1);
  expect((await one.send("POST /object-storage/keys", { body: { label: "own" }, token })).status).toBe(200);
});

test("a token that was issued before an OAuth client's secret was reset stays valid", async (one) => {
  const client = { label: "app", redirect_uri: "https://app.example/login" };
  const { id } = (await one.send("POST /account/oauth-clients", { body: client })).body;
  const { token } = (await one.send("POST /_emulator/tokens", { body: { client_id: id } })).body;
  expect((await one.send(`POST /account/oauth-clients/${id}/reset-secret`)).status).toBe(200);
  expect((await one.send("GET /volumes", { token })).status).toBe(200);
});

test.each<[grant: string, operation: string, list: string, rule?: string]>([
  ["add_computes", "instances.create", "/compute/instances", "part 1 · Endpoints · Compute instances · rule 1"],
  ["add_volumes", "volumes.create", "/volumes", "part 1 · Endpoints · Volumes · rule 1"],
  ["add_domains", "domains.create", "/domains"],
  ["add_nodebalancers", "nodeBalancers.create", "/nodebalancers"],
  ["add_firewalls", "firewalls.create", "/networking/firewalls"],
  ["add_images", "images.create", "/images"],
  ["add_images", "images.upload", "/images"],
  ["add_clusters", "lkeClusters.create", "/lke/clusters"],
])(
  "the grant %s lets a restricted user call %s, and change and list the created object",
  async (one, grant, name, list, rule) => {
    proves("part 1 · Authentication · rule 4", ...(rule ? [rule] : []));
    const [area, key] = name.split(".") as ["instances", "create"];
    const { body, ...input }: Input = await (plans[area][key] as Plan<never>)(one);
    const entities = { compute: Object.fromEntries(one.world.instances.all().map(({ id }) => [id, "read_write"])) };
    const create = async (more: object, global: object, token?: string) =>
      request(
        one,
        operations[area][key],
        { ...input, body: { ...(body as object), tags: undefined, devices: undefined, ...more } },
        { token: token ?? (await restricted(one, { entities, global })) },
      );
    const hidden = area === ("domains" as never) ? { domain: "hidden.example.org" } : { label: "hidden" };
    expect((await create(hidden, {}, one.token)).body.errors).toBeUndefined();
    one.settle();
    expect(await create({}, {})).toMatchObject({
      status: 403,
      body: { errors: [{ reason: `Unauthorized: your user needs the grant ${grant}` }] },
    });
    const tagged = await create({ tags: ["prod"] }, { [grant]: true });
    if (grant !== "add_images")
      expect(messages(tagged, 403)).toEqual(["tags: Only unrestricted users can add or change tags"]);
    const created = await create({}, { [grant]: true });
    expect(created.body.errors).toBeUndefined();
    const { id } = key === ("upload" as never) ? created.body.image : created.body;
    const token = "guest-token";
    expect((await one.send(`PUT ${list as "/"}/${id}`, { token, body: {} })).status).toBe(200);
    const listed = (await one.send(`GET ${list as "/"}`, { token })).body.data;
    expect(listed.filter((row: { is_public?: boolean }) => !row.is_public)).toMatchObject([{ id }]);
  },
);

const taggedKinds = updates.filter(({ update: { body } }) => body && Object.hasOwn(fieldsOf(body), "tags"));

test("finds the update operations of all kinds with tags", () => {
  const kinds = ["domains", "firewalls", "instances", "lkeClusters", "nodeBalancers", "volumes"];
  expect(taggedKinds.map(({ name }) => name).sort()).toEqual(kinds.map((kind) => `${kind}.update`));
});

test.each(taggedKinds)(
  "$name: restricted users can send back unchanged tags, and cannot change them",
  async (one, { update, view, plan }) => {
    proves("part 2 · Endpoints · Tags · rule 1");
    const { path = {} }: Input = await plan(one as never);
    const put = async (tags: string[], token = one.token) =>
      (await request(one, update, { path, body: { tags } }, { token })).status;
    expect(await put(["Web", "prod"])).toBe(200);
    const ids = Object.fromEntries(Object.values(path).map((id) => [id, "read_write"]));
    const token = await restricted(one, { entities: Object.fromEntries(grantedKinds.map((kind) => [kind, ids])) });
    for (const changed of [[], ["prod"], ["Web", "prod", "mine"], ["Web", "mine"]])
      expect(await put(changed, token)).toBe(403);
    expect((await request(one, view, { path })).body.tags).toEqual(["Web", "prod"]);
    for (const unchanged of ["Web,prod", "prod,WEB,web"]) expect(await put(unchanged.split(","), token)).toBe(200);
    expect((await request(one, view, { path })).body.tags).toEqual(["Web", "prod"]);
    expect(await put([])).toBe(200);
    expect([await put([], token), await put(["mine"], token)]).toEqual([200, 403]);
  },
);

/** Calls the operation with a valid request, as a restricted user with the given access to the account. */
async function withAccess(one: Account, name: string, account_access: string | null): Promise<number> {
  const [area, key] = name.split(".") as ["instances", "view"];
  const input: Input = await (plans[area][key] as Plan<never>)(one);
  const entities = { compute: Object.fromEntries(one.world.instances.all().map(({ id }) => [id, "read_write"])) };
  const token = await restricted(one, { entities, global: { account_access } });
  return (await request(one, operations[area][key], input, { token })).status;
}

const billing = (number: number): string => `part 3 · Endpoints · Account and billing · rule ${number}`;

test.each<[operation: string, rule?: string]>([
  ["account.cancel", billing(1)],
  ["logins.list", billing(2)],
  ["logins.view", billing(2)],
  ["serviceTransfers.list", billing(2)],
  ["serviceTransfers.create", billing(2)],
  ...["list", "create", "view", "cancel", "accept"].map((key): [string, string] => [
    `entityTransfers.${key}`,
    billing(8),
  ]),
  ["account.addPromoCredit", billing(6)],
  ["managedContacts.list"],
  ["managedContacts.create"],
  ["tags.create", "part 2 · Endpoints · Tags · rule 1"],
  ["tags.delete", "part 2 · Endpoints · Tags · rule 1"],
])("only unrestricted users can call %s", async (one, name, rule) => {
  if (rule) proves(rule);
  expect(await withAccess(one, name, "read_write")).toBe(403);
});

test.each([
  ["account.view", null, 403],
  ["account.view", "read_only", 200],
  ["account.update", "read_only", 403],
  ["account.update", "read_write", 200],
  ["oauthClients.list", null, 403],
  ["oauthClients.list", "read_only", 200],
] as const)("%s by a restricted user with the account_access %s returns %i", async (one, name, access, status) => {
  expect(await withAccess(one, name, access)).toBe(status);
});
