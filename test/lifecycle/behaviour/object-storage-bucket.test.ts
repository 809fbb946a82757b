import { describe, expect } from "vitest";
import { detectDrift } from "../../../drift";
import { Managed, type State } from "../../../testing/provider";
import { certificate } from "../../contract/load-balancers/certificate";
import { exported } from "../exported";
import { testsOf } from "./tests";

const test = testsOf("ObjectStorageBucket");

const photos = { cluster: "us-east-1", label: "photos" };
const path = { clusterId: "us-east-1", bucket: "photos" };

describe("ObjectStorageBucket", () => {
  test("restores a certificate deleted outside Pulumi; state keeps the form of the program", async ({ world, it }) => {
    const { ssl_cert, ssl_key } = await certificate("photos.example.org");
    const pair = { certificate: ssl_cert, privateKey: ssl_key };
    await it.up({ ...photos, certificate: pair });
    expect(it.outs).toMatchObject({ ssl: true, certificate: pair, hostname: expect.stringMatching(/^photos\./) });
    await world.api.objectStorageCertificates.delete({ path });
    expect(await it.refresh()).toBe("changed");
    expect(it.outs).toMatchObject({ ssl: false });
    world.emulator.requests.clear();
    await it.up({ ...photos, certificate: pair });
    // Without a certificate to delete, no deletion is tried, not even one that is rejected.
    const writes = world.emulator.requests.list().filter(({ method }) => method !== "GET");
    expect(writes.map(({ operation }) => operation)).toEqual(["objectStorageCertificates.upload"]);
    expect(await it.refresh()).toBe("same");
  });

  test("a certificate deleted outside Pulumi and then in the program is not drift", async ({ world, it }) => {
    const { ssl_cert, ssl_key } = await certificate("photos.example.org");
    await it.up({ ...photos, certificate: { certificate: ssl_cert, privateKey: ssl_key } });
    await world.api.objectStorageCertificates.delete({ path });
    expect(await it.refresh()).toBe("changed");
    expect(it.state?.inputs).toMatchObject({ certificate: null });
    await it.up({ ...photos, certificate: null });
    const state = exported([{ kind: "ObjectStorageBucket", ...(it.state as State) }]);
    expect((await detectDrift({ states: [state], account: { host: world.reconnect() } })).findings).toEqual([]);
  });

  test("null removes a certificate that was uploaded outside Pulumi", async ({ world, it }) => {
    const { ssl_cert, ssl_key } = await certificate("photos.example.org");
    const upload = () =>
      world.api.objectStorageCertificates.upload({ path, body: { certificate: ssl_cert, private_key: ssl_key } });
    await it.up({ ...photos, certificate: null });
    await upload();
    it.reconnect(world.reconnect());
    expect(await it.refresh()).toBe("changed");
    expect((await it.up({ ...photos, certificate: null })).op).toBe("update");
    expect(it.outs).toMatchObject({ ssl: false, certificate: null });
    expect(await world.api.objectStorageCertificates.view({ path })).toEqual({ ssl: false });
    expect((await it.preview({ ...photos, certificate: null })).op).toBe("same");

    await upload();
    const adopted = new Managed("ObjectStorageBucket", world.reconnect(), "adopted");
    const { program } = await adopted.adopt("us-east-1/photos");
    expect(program).toEqual(photos);
    expect(adopted.outs.certificate).toEqual({ certificate: "(unknown)", privateKey: "(unknown)" });
    expect((await adopted.preview(photos)).op).toBe("same");
    expect((await adopted.up({ ...photos, certificate: null })).op).toBe("update");
    expect(await world.api.objectStorageCertificates.view({ path })).toEqual({ ssl: false });
  });

  test("rejects an expired certificate before the old one is deleted", async ({ world, it }) => {
    const { ssl_cert, ssl_key } = await certificate("photos.example.org");
    const pair = { certificate: ssl_cert, privateKey: ssl_key };
    await it.up({ ...photos, certificate: pair });
    const next = await certificate("other.example.org");
    world.emulator.advance(11 * 365 * 24 * 3600 * 1000);
    const late = { ...photos, certificate: { certificate: next.ssl_cert, privateKey: next.ssl_key } };
    await expect(it.up(late)).rejects.toThrow("the certificate expired at 2031-01-01T00:00:00.000Z");
    expect(await world.api.objectStorageCertificates.view({ path })).toEqual({ ssl: true });
    expect(it.outs).toMatchObject({ certificate: pair });
  });

  test("deletes a bucket with objects only with forceDestroy", async ({ world, it }) => {
    const object = new Managed("ObjectStorageObject", world.host);
    await it.up(photos);
    await object.up({ cluster: "us-east-1", bucket: "photos", name: "cat.jpg", content: "cat" });
    await expect(it.destroy()).rejects.toThrow(
      "objectStorageBuckets.delete: 400 The bucket holds 1 objects; delete them first, or set force to true (or set forceDestroy to true and run pulumi up, then destroy the bucket)",
    );
    world.calls();
    await it.up({ ...photos, forceDestroy: true });
    expect(world.calls()).toEqual([]);
    await it.destroy();
    expect(world.world.objectStorageBuckets.all()).toEqual([]);
    expect(await object.refresh()).toBe("gone");
  });

  test("deletes no bucket that was created again under the same name", async ({ world, it }) => {
    await it.up({ ...photos, forceDestroy: true });
    await world.api.objectStorageBuckets.delete({ path });
    world.emulator.advance(1000);
    await world.api.objectStorageBuckets.create({ body: photos });
    await it.destroy();
    expect(world.world.objectStorageBuckets.all()).toHaveLength(1);
    expect(world.messages()).toContain(
      "ObjectStorageBucket us-east-1/photos was not deleted: it was created at 2022-01-01T00:00:01, and the object in the state at 2022-01-01T00:00:00. Delete it by hand unless you need it",
    );
  });

  test("a deletion after a refresh leaves another bucket of the same name, too", async ({ world, it }) => {
    await it.up({ ...photos, forceDestroy: true });
    await world.api.objectStorageBuckets.delete({ path });
    world.emulator.advance(1000);
    await world.api.objectStorageBuckets.create({ body: photos });
    it.reconnect(world.reconnect());
    expect(await it.refresh()).toBe("same");
    await it.destroy();
    expect(world.world.objectStorageBuckets.all()).toHaveLength(1);
  });

  test("a create does not adopt an existing bucket", async ({ world, it }) => {
    await world.api.objectStorageBuckets.create({ body: { ...photos, acl: "public-read" } });
    await expect(it.up({ ...photos, acl: "private" })).rejects.toThrow(
      "ObjectStorageBucket us-east-1/photos already exists. If you renamed the resource in the program, add the resource option aliases. Otherwise, adopt the bucket (npx cloudinfra adopt ObjectStorageBucket NAME us-east-1/photos) or choose another label",
    );
    expect(world.world.objectStorageBuckets.get("us-east-1/photos").acl).toBe("public-read");
    expect(it.state).toBeUndefined();
  });

  test("sets an ACL that a create request does not accept in a second request", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "status", status: 403, path: "objectStorageBuckets.updateAccess" });
    await expect(it.up({ ...photos, acl: "custom" })).rejects.toThrow("403");
    expect(it.outs).toMatchObject({ acl: "private" });
    await it.up({ ...photos, acl: "custom" });
    expect(world.world.objectStorageBuckets.get("us-east-1/photos").acl).toBe("custom");
    expect((await it.preview({ ...photos, acl: "custom" })).op).toBe("same");
  });

  test("the ACL is also set if the response to the create was lost", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "cut-after", path: "objectStorageBuckets.create" });
    await it.up({ ...photos, acl: "custom" });
    expect(world.world.objectStorageBuckets.get("us-east-1/photos").acl).toBe("custom");
  });

  test("a bucket's generated label is a valid host name", async ({ world }) => {
    const it = new Managed("ObjectStorageBucket", world.host, "My_Photos");
    await it.up({ cluster: "us-east-1" });
    expect(it.outs.label).toMatch(/^my-photos-[0-9a-f]{7}$/);
  });

  test("creates a bucket in another region before the old one is deleted", async ({ world, it }) => {
    await it.up(photos);
    world.calls();
    expect(await it.up({ ...photos, cluster: "eu-central-1" })).toMatchObject({ deleteBeforeReplace: false });
    expect(world.calls()).toEqual(["objectStorageBuckets.create", "objectStorageBuckets.delete"]);
  });
});
