import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adopt } from "../../provider/pulumi/adopt";
import type { KindName } from "../../provider/resources";
import { Managed } from "../../testing/provider";
import { expectNoDifference } from "./expectations";
import {
  type AnyManaged,
  actions,
  definition,
  fileOf,
  inputsAround,
  inputsOf,
  objects,
  onEachEdit,
  type Scenario,
  scenario,
} from "./scenario";

test("the definition decides whether a kind is an action or an object", () => {
  expect(actions).toEqual(expect.arrayContaining(["InstanceAction", "LkeNodeRecycle"]));
  expect(objects).toEqual(expect.arrayContaining(["InstanceSnapshot", "IpSharing", "ServiceTransfer", "Volume"]));
});

/** The paths of all values in inputs, such as `alerts.cpu`. */
const pathsOf = (value: object, around = ""): string[] =>
  Object.entries(value).flatMap(([key, item]) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? pathsOf(item, `${around}${key}.`)
      : [`${around}${key}`],
  );

describe.each(objects)("%s", (name) => {
  test("an adopted object shows no change with its printed program, now and later", async () => {
    await using it = await scenario(name, { shuffle: true });
    await it.managed.up(it.fixture.base);
    it.anew();
    const adopted = await adoptedIn(it, it.managed.id);
    expect(it.calls()).toEqual([]);
    await expectNoDifference({ ...it, managed: adopted.managed }, adopted.program);
    expect(it.warnings).toEqual([]);
  });

  test("the program declares no more than the one that created the object", async () => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    const { program } = await adoptedIn(it, it.managed.id);
    const own = new Set(pathsOf(it.fixture.base));
    const more = pathsOf(program).filter((path) => !own.has(path));
    const hint = `inputs that the program of an adopted object declares in addition to \`base\`; if that is intended, list them in \`adopted\` of ${fileOf(name)}`;
    expect(more, hint).toEqual(it.fixture.adopted ?? []);
  });

  test("the program is the same in whatever order the API returns lists", async () => {
    await using it = await scenario(name, { shuffle: true });
    await it.managed.up(it.fixture.base);
    const first = (await adoptedIn(it, it.managed.id)).program;
    for (let times = 0; times < 5; times++) expect((await adoptedIn(it, it.managed.id)).program).toEqual(first);
  });

  test.each(inputsOf(name))("an object with %s declared is adopted without a change", async (input) => {
    await onEachEdit(name, input, async (it, edit) => {
      await it.managed.up(inputsAround(it.fixture, input, edit).after);
      it.anew();
      const { managed, program, differing } = await adoptedIn(it, it.managed.id);
      expect(differing).toEqual([]);
      expect((await managed.preview(program)).op).toBe("same");
    });
  });
});

test("an object that does not exist is not adopted", async () => {
  await using it = await scenario("Volume");
  expect(await adopt(definition("Volume"), it.host, "data", "77")).toBeUndefined();
});

test("of several nested inputs, only those that differ from a new object's are declared", async () => {
  await using it = await scenario("Instance");
  const { id } = await it.api.instances.create({ body: { label: "big", region: "us-east", type: "g6-standard-2" } });
  await it.api.instances.update({ path: { computeId: id }, body: { alerts: { io: 0 }, watchdog_enabled: false } });
  it.emulator.settle();
  const expected = { label: "big", region: "us-east", type: "g6-standard-2", booted: false };
  const { program } = await adoptedIn(it, String(id));
  expect(program).toEqual({ ...expected, alerts: { io: 0 }, watchdogEnabled: false });
});

test("inputs that a create request requires are declared whatever their value is", async () => {
  await using it = await scenario("DomainRecord");
  const domainId = Number(it.fixture.base.domainId);
  const body = {
    type: "SRV",
    service: "sip",
    protocol: "tcp",
    target: "sip.example.com",
    port: 5060,
    weight: 0,
    priority: 0,
  } as const;
  const { id } = await it.api.domainRecords.create({ path: { domainId }, body });
  const { program } = await adoptedIn(it, `${domainId}/${id}`);
  expect(program).toMatchObject({ type: "SRV", priority: 0, weight: 0, port: 5060 });
  expect(program).not.toHaveProperty("ttlSec");
});

test("a DomainRecord of type MX with an empty target is adopted with that target, without which it cannot be created", async () => {
  await using it = await scenario("DomainRecord");
  const domainId = Number(it.fixture.base.domainId);
  const { id } = await it.api.domainRecords.create({
    path: { domainId },
    body: { type: "MX", name: "", target: "", priority: 0 },
  });
  it.anew();
  const { managed, program, withheld } = await adoptedIn(it, `${domainId}/${id}`);
  expect(program).toEqual({ domainId, type: "MX", target: "" });
  expect(withheld).toEqual([]);
  await expectNoDifference({ ...it, managed }, program);
  await managed.destroy();
  const again = new Managed("DomainRecord", it.reconnect(), "again") as AnyManaged;
  expect((await again.up(program)).op).toBe("create");
  expect(again.outs).toMatchObject({ type: "MX", name: "", target: "", priority: 0 });
});

test("an ObjectStorageKey with access to no bucket is adopted with that limit, without which it would have access to all", async () => {
  await using it = await scenario("ObjectStorageKey");
  const none = await it.api.objectStorageKeys.create({ body: { label: "none", bucket_access: [] } });
  const all = await it.api.objectStorageKeys.create({ body: { label: "all" } });
  it.anew();
  const { managed, program } = await adoptedIn(it, String(none.id));
  expect(program).toEqual({ label: "none", bucketAccess: [] });
  await expectNoDifference({ ...it, managed }, program);
  expect((await adoptedIn(it, String(all.id))).program).toEqual({ label: "all" });
});

test("an adopted Domain whose program omits its status is active, as one that the program has created", async () => {
  await using it = await scenario("Domain");
  const { id } = await it.api.domains.create({
    body: { domain: "example.net", type: "master", soa_email: "a@b.example" },
  });
  it.anew();
  const { managed, program } = await adoptedIn(it, String(id));
  expect(program).not.toHaveProperty("status");
  await it.api.domains.update({ path: { domainId: id }, body: { status: "disabled" } });
  managed.reconnect(it.reconnect());
  expect(await managed.refresh()).toBe("changed");
  expect((await managed.up(program)).op).toBe("update");
  expect(managed.outs).toMatchObject({ status: "active" });
});

test("a required secret can be set later, and is then applied once", async () => {
  await using it = await scenario("ManagedCredential");
  await it.managed.up(it.fixture.base);
  const { managed, program, withheld } = await adoptedIn(it, it.managed.id);
  expect(withheld).toEqual(["password"]);
  it.anew();
  const known = { ...program, password: "correct horse" };
  expect((await managed.up(known)).op).toBe("update");
  expect(it.calls()).toEqual(["managedCredentials.updateSecret password"]);
  expect((await managed.preview(known)).op).toBe("same");
});

test("the certificate in use is recognized by its fingerprint", async () => {
  await using it = await scenario("NodeBalancerConfig");
  await it.managed.up(it.fixture.base);
  const { managed, program, withheld } = await adoptedIn(it, it.managed.id);
  expect(withheld).toEqual(["sslCert", "sslKey"]);
  const { sslCert, sslKey } = it.fixture.base;
  expect((await managed.preview({ ...program, sslCert, sslKey })).op).toBe("same");
});

test("the content of an adopted object is unmanaged until the program declares it, and equal content causes no update", async () => {
  await using it = await scenario("ObjectStorageObject");
  const { contentType: _, ...base } = it.fixture.base;
  await it.managed.up(base);
  const { managed, program, withheld } = await adoptedIn(it, it.managed.id);
  expect(withheld).toEqual(["content"]);
  expect((await managed.preview({ ...program, content: base.content })).op).toBe("same");
  expect(await managed.refresh()).toBe("same");
  expect((await managed.preview({ ...program, content: base.content })).op).toBe("same");
  expect((await managed.preview({ ...program, content: "<h1>Two</h1>" })).op).toBe("update");
});

test("the docs say how the id of a transfer is derived from its token", async () => {
  await using it = await scenario("ServiceTransfer");
  await it.managed.up(it.fixture.base);
  const docs = readFileSync(join(__dirname, "../../docs/adopt.md"), "utf8");
  const [, command = ""] = /`(printf %s "\$TOKEN" [^`]+)`/.exec(docs) ?? [];
  const env = { ...process.env, TOKEN: String(it.managed.outs.token) };
  expect(execFileSync("sh", ["-c", command], { env, encoding: "utf8" }).trim()).toBe(it.managed.id);
});

test("a pool whose autoscaler is off is scaled in place after its adoption", async () => {
  await using it = await scenario("LkeNodePool");
  await it.managed.up(it.fixture.base);
  const { managed, program } = await adoptedIn(it, it.managed.id);
  expect(program).not.toHaveProperty("autoscaler");
  expect((await managed.up({ ...program, count: 3 })).op).toBe("update");
  await expectNoDifference({ ...it, managed }, { ...program, count: 3 });
});

test("an instance whose image has left the catalogue is adopted without a change", async () => {
  await using it = await scenario("Instance");
  await it.managed.up(it.fixture.base);
  it.world.images.remove("compute/debian11");
  it.anew();
  const { managed, program } = await adoptedIn(it, it.managed.id);
  expect(program.image).toBe("compute/debian11");
  expect((await managed.preview(program)).op).toBe("same");
});

test("what an adoption reports as differing is changed by the next update", async () => {
  await using it = await scenario("Volume");
  await it.managed.up({ ...it.fixture.base, tags: ["own"] });
  const host = { ...it.reconnect(), settings: { default_tags: ["team"] } };
  const managed = new Managed("Volume", host, "adopted") as AnyManaged;
  const { program, differing, replacing } = await managed.adopt(it.managed.id);
  expect({ differing, replacing }).toEqual({ differing: ["tags"], replacing: [] });
  expect((await managed.up(program)).op).toBe("update");
  expect(await it.view()).toMatchObject({ tags: ["own", "team"] });
});

test("what an adoption reports as replacing makes the next update replace the object", async () => {
  await using it = await scenario("LkeNodePool");
  await it.managed.up(it.fixture.base);
  const host = { ...it.reconnect(), settings: { default_tags: ["team"] } };
  const managed = new Managed("LkeNodePool", host, "adopted") as AnyManaged;
  const { program, differing, replacing } = await managed.adopt(it.managed.id);
  expect({ differing, replacing }).toEqual({ differing: ["tags"], replacing: ["tags"] });
  expect((await managed.up(program)).op).toBe("replace");
});

/** Adopts the object into a second, empty stack, as a resource with another name. */
async function adoptedIn(it: Scenario, id: string) {
  const managed = new Managed(it.kind.name as KindName, it.reconnect(), "adopted") as AnyManaged;
  return { managed, ...(await managed.adopt(id)) };
}
