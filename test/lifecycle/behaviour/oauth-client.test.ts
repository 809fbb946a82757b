import { writeFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { digest } from "../../../emulator/core/users";
import { diff } from "../../../provider/engine/diff";
import { read } from "../../../provider/engine/observe";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import { png } from "../../contract/png";
import { picture } from "../kinds/oauth-client";
import type { Account } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("OAuthClient");

const shop = { label: "Shop", redirectUri: "https://shop.example.org/login" };

const isSecretOf = ({ world }: Account, it: Managed<"OAuthClient">): boolean =>
  world.oauthClients.get(it.id).secret_digest === digest(String(it.outs.secret));

describe("OAuthClient", () => {
  test("a client's secret is returned once, and kept in state", async ({ world, it }) => {
    await it.up(shop);
    expect(world.calls()).toEqual(["oauthClients.create", "oauthClients.resetSecret"]);
    expect(isSecretOf(world, it)).toBe(true);
    const { secret } = it.outs;
    expect(await it.refresh()).toBe("same");
    await it.up({ ...shop, label: "Store" });
    expect(world.calls()).toEqual(["oauthClients.update"]);
    expect(it.outs.secret).toBe(secret);
  });

  test("another version resets the secret, which the preview announces", async ({ world, it }) => {
    await it.up(shop);
    const { id, outs } = it;
    world.calls();
    await it.up({ ...shop, secretVersion: "2026-11" });
    expect(world.messages()).toEqual([`OAuthClient ${id}: resets the secret; the old one becomes invalid immediately`]);
    expect(world.calls()).toEqual(["oauthClients.resetSecret"]);
    expect(it.id).toBe(id);
    expect(it.outs.secret).not.toBe(outs.secret);
    expect(isSecretOf(world, it)).toBe(true);
  });

  test("the next update resets the secret of a client whose first secret was lost", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "status", status: 400, path: "oauthClients.resetSecret" });
    await expect(it.up(shop)).rejects.toThrow("oauthClients.resetSecret: 400");
    const { id } = it;
    expect(it.outs.secret).toBeUndefined();
    world.emulator.faults.clear();
    await it.up(shop);
    expect(it.id).toBe(id);
    expect(isSecretOf(world, it)).toBe(true);
    expect(world.messages()).toEqual([`OAuthClient ${id}: resets the secret, because the current one is not known`]);
  });

  test("a client that was created outside Pulumi keeps its secret", async ({ world }) => {
    const { id } = await world.api.oauthClients.create({ body: { label: "Shop", redirect_uri: shop.redirectUri } });
    const found = await read(kinds.OAuthClient, world.host, id, {});
    expect(found?.outs).toMatchObject({ secret: "<REDACTED>", secret_version: 1 });
    const want = { label: "Shop", redirect_uri: shop.redirectUri, public: false, secret_version: 1 };
    expect(diff(kinds.OAuthClient, found?.outs ?? {}, want).changed).toEqual([]);
    expect(diff(kinds.OAuthClient, found?.outs ?? {}, { ...want, secret_version: 2 }).steps).toEqual(["reset"]);
  });

  test("compares a thumbnail by content, and reads it only if declared", async ({ world }) => {
    const [it, plain] = [new Managed("OAuthClient", world.host), new Managed("OAuthClient", world.host)];
    const file = picture("logo.png", 4);
    await it.up({ ...shop, thumbnail: file });
    await plain.up({ ...shop, label: "Plain" });
    expect((await it.preview({ ...shop, thumbnail: picture("moved.png", 4) })).op).toBe("same");
    for (const { id } of [it, plain])
      await world.api.oauthClients.updateThumbnail({ path: { clientId: id }, body: png(5, 5) });
    world.emulator.requests.clear();
    expect(await plain.refresh()).toBe("same");
    expect(world.emulator.requests.list().map(({ operation }) => operation)).not.toContain(
      "oauthClients.viewThumbnail",
    );
    expect(await it.refresh()).toBe("changed");
    await it.up({ ...shop, thumbnail: file });
    writeFileSync(file, png(6, 6));
    expect((await it.up({ ...shop, thumbnail: file })).op).toBe("update");
    expect(world.calls()).toEqual(["oauthClients.updateThumbnail", "oauthClients.updateThumbnail"]);
    // If the program omits the picture, the OAuth client keeps it, because the service cannot remove a picture.
    expect((await it.up(shop)).op).toBe("same");
  });
});
