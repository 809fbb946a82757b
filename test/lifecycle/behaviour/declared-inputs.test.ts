import { describe, expect } from "vitest";
import { DynamicProvider } from "../../../provider/dynamic/provider";
import type { Kind } from "../../../provider/engine/definition";
import { withoutOwnProperties } from "../../../provider/pulumi/own-properties";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import { test } from "./tests";

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
