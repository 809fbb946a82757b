import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { DynamicProvider } from "../../../provider/dynamic/provider";
import type { Kind } from "../../../provider/engine/definition";
import { withoutOwnProperties } from "../../../provider/pulumi/own-properties";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import { account } from "./accounts";
import { test } from "./tests";

describe("an object's content type", () => {
  const at = { cluster: "us-east-1", bucket: "site" };
  const id = (name: string) => `us-east-1/site/${name}`;

  async function bucket() {
    const world = await account();
    await world.api.objectStorageBuckets.create({ body: { cluster: at.cluster, label: at.bucket } });
    return world;
  }

  test.each([
    ["page", { file: "page.html" }, "text/html"],
    ["page", { file: "PAGE.HTML" }, "text/html"],
    ["page.css", { file: "style.unheard-of" }, "text/css"],
    ["data.json", { content: "{}" }, "application/json"],
    ["data", { content: "{}" }, "application/octet-stream"],
    ["logo.svg", { source: { path: "logo.png" } }, "image/png"],
    ["page.html", { file: "page.html", contentType: "text/plain" }, "text/plain"],
  ])("%s of %j is sent as %s", async (name, value, type) => {
    await using world = await bucket();
    const path = (file: string) => join(tmpdir(), `wishes-${file}`);
    const file = "file" in value ? value.file : "source" in value ? value.source.path : undefined;
    if (file) await writeFile(path(file), "content");
    const inputs =
      "file" in value
        ? { ...value, file: path(value.file) }
        : "source" in value
          ? { source: { path: path(value.source.path) } }
          : value;
    const it = new Managed("ObjectStorageObject", world.host);
    await it.up({ ...at, name, ...inputs });
    expect(world.world.objectStorageObjects.get(id(name)).content_type).toBe(type);
    expect(await it.preview({ ...at, name, ...inputs })).toMatchObject({ op: "same" });
  });

  test("a content type from an earlier version is not a difference if the program omits it", async () => {
    await using world = await bucket();
    const it = new Managed("ObjectStorageObject", world.host);
    const page = { ...at, name: "index.html", content: "<h1>It works</h1>" };
    await it.up({ ...page, contentType: "application/octet-stream" });
    expect(await it.preview(page)).toMatchObject({ op: "same" });
    expect(await it.refresh()).toBe("same");
  });
});

describe("inputs of a program", () => {
  const zone = { domain: "example.org", type: "master", soaEmail: "a@example.org", ttlSec: 300 } as const;

  test("are kept in state with the names that programs use", async ({ world }) => {
    const it = new Managed("Domain", world.host);
    await it.up(zone);
    expect(String(it.outs.__stated)).toMatch(/^domain,type,soaEmail,ttlSec,/);
    expect(it.outs.__stated).not.toContain("_");
    const web = new Managed("Instance", world.host);
    await web.up({ label: "web", region: "us-east", type: "g6-nanode-1", alerts: { networkIn: 9 } });
    expect(String(web.outs.__stated).split(",")).toContain("alerts.networkIn");
  });

  test.for(["domain,type,soa_email,ttl_sec", "domain,type,soaEmail,ttlSec"])(
    "are accepted as %s",
    async (declared, { world }) => {
      const it = new Managed("Domain", world.host);
      await it.up(zone);
      await world.api.domains.update({ path: { domainId: Number(it.id) }, body: { soa_email: "b@example.org" } });
      const provider = new DynamicProvider(kinds.Domain as Kind, () => world.host);
      const { inputs, props } = await provider.read(it.id, { ...it.outs, __stated: declared });
      expect(withoutOwnProperties(inputs ?? {})).toEqual({
        domain: "example.org",
        type: "master",
        soaEmail: "b@example.org",
        ttlSec: 300,
      });
      expect(props).toHaveProperty("__stated", "domain,type,soaEmail,ttlSec");
    },
  );
});
