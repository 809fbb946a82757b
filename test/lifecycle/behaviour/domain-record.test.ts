import { expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { test } from "./tests";

test("a record that gets another type keeps the values that it shares with the former type", async ({ world }) => {
  const domain = new Managed("Domain", world.host);
  await domain.up({ domain: "example.org", type: "master", soaEmail: "me@example.org" });
  const domainId = Number(domain.id);
  const it = new Managed("DomainRecord", world.host);
  await it.up({ domainId, type: "MX", target: "mail.example.net", priority: 10 });
  const service = { service: "sip", protocol: "tcp", weight: 5, port: 5060 };
  expect((await it.up({ domainId, type: "SRV", target: "sip.example.net", priority: 10, ...service })).op).toBe(
    "update",
  );
  expect(world.world.domainRecords.all()).toMatchObject([{ type: "SRV", priority: 10, weight: 5, port: 5060 }]);
});
