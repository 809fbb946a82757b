import { expect, test } from "vitest";
import { detectDrift } from "../../../drift";
import { type Snapshot, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { stateOfAll } from "./large-state";

test("an account of 10,020 objects takes at most 130 requests, all of them GET", async () => {
  await using emulator = await startEmulator({ pace: "instant", load: await largeAccount() });
  const state = await stateOfAll(emulator);
  emulator.requests.clear();
  const { url, token } = emulator;
  const { coverage, findings, unread } = await detectDrift({ states: [state], url, token });
  expect({ findings, unread }).toEqual({ findings: [], unread: [] });
  expect(coverage).toMatchObject({ resources: 10_020, checked: 10_020 });
  const requests = emulator.requests.list();
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(requests.length).toBeLessThanOrEqual(130);
});

/**
 * An account with 20 domains of 400 records each, and 2,000 volumes. Only one object of each type is created by a
 * request; the others are copied in a snapshot, which is faster.
 */
async function largeAccount(): Promise<Snapshot> {
  const emulator = await startEmulator({ pace: "instant" });
  const { api, close } = connect(emulator);
  const { id } = await api.domains.create({ body: { domain: "a.example", type: "master", soa_email: "a@a.example" } });
  await api.domainRecords.create({ path: { domainId: id }, body: { type: "A", name: "www", target: "192.0.2.1" } });
  await api.volumes.create({ body: { region: "us-east", label: "data" } });
  await close();
  const snapshot = (await (await fetch(new URL("/_emulator/state", emulator.url))).json()) as Snapshot;
  await emulator.close();
  const { domains, domainRecords, volumes } = snapshot.tables;
  multiply(domains, 20, (n) => ({ domain: `a${n}.example` }));
  multiply(domainRecords, 8_000, (n) => ({ name: `www${n}`, domain_id: id + (n % 20) }));
  multiply(volumes, 2_000, (n) => ({ label: `data-${n}` }));
  return snapshot;
}

function multiply(table: Snapshot["tables"][string] | undefined, count: number, more: (n: number) => object): void {
  const [row] = table?.rows ?? [];
  if (!table || !row) throw new Error("the table is empty");
  const first = Number(row.id);
  table.rows = Array.from({ length: count }, (_, n) => ({ ...row, ...more(n), id: first + n }));
  table.next = first + count;
}
