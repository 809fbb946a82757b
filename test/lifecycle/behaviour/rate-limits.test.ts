import { expect, test } from "vitest";
import { cloud } from "../../../testing/cloud";
import { Managed } from "../../../testing/provider";

const RECORDS = 500;
const AT_ONCE = 32;

test("creates, changes, reads and deletes 500 records within the service's rate limits without an error", async () => {
  await using world = await cloud({ rateLimits: true });
  const domain = await world.api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "a@example.org" },
  });
  const records = Array.from({ length: RECORDS }, () => new Managed("DomainRecord", world.host));
  const each = async (work: (record: Managed<"DomainRecord">, nth: number) => Promise<unknown>) => {
    const left = [...records.entries()];
    const worker = async () => {
      for (let next = left.shift(); next; next = left.shift()) await work(next[1], next[0]);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  const stated = (nth: number) => ({ domainId: domain.id, type: "TXT", name: `host-${nth}`, target: "v=1" }) as const;
  await each((record, nth) => record.up(stated(nth)));
  await each((record, nth) => record.up({ ...stated(nth), target: "v=2" }));
  await each(async (record) => expect(await record.refresh()).toBe("same"));
  expect(world.world.domainRecords.size).toBe(RECORDS);
  expect(world.world.domainRecords.all().every(({ target }) => target === "v=2")).toBe(true);
  await each((record) => record.destroy());
  expect(world.world.domainRecords.size).toBe(0);
  const refused = world.emulator.requests.list().filter(({ status }) => status === 429);
  expect(refused, "the client waits before it reaches the rate limit").toEqual([]);
});
