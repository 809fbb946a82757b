import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";

let emulator: Emulator;
const ids: { compute: number; volumes: number[] } = { compute: 0, volumes: [] };

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  const region = "us-east";
  const machine = {
    region,
    type: "g6-nanode-1",
    label: "web",
    image: "compute/debian11",
    root_pass: "Long-1-Enough-2",
  };
  ids.compute = (await request("POST", "/compute/instances", machine)).id;
  for (const label of ["first", "second"]) {
    const { id, errors } = await request("POST", "/volumes", { label, compute_id: ids.compute });
    expect(errors).toBeUndefined();
    ids.volumes.push(id);
  }
});
afterAll(() => emulator.close());

test("a second read of a volume returns the new label of its instance", async () => {
  const [first] = ids.volumes;
  const labels = async () => {
    const { data } = await request("GET", "/volumes");
    return [...data, await request("GET", `/volumes/${first}`)].map(({ compute_label }) => compute_label);
  };
  expect(await labels()).toEqual(["web", "web", "web"]);
  await request("PUT", `/compute/instances/${ids.compute}`, { label: "web-2" });
  expect(await labels()).toEqual(["web-2", "web-2", "web-2"]);
});

test("a second read of a page returns a changed row", async () => {
  const tags = async () => (await request("GET", "/volumes")).data.map(({ tags }: { tags: string[] }) => tags);
  expect(await tags()).toEqual([[], []]);
  await request("PUT", `/volumes/${ids.volumes[1]}`, { tags: ["prod"] });
  expect(await tags()).toEqual([[], ["prod"]]);
});

test("rejects an invalid query each time", async () => {
  for (let time = 0; time < 2; time++)
    expect(await request("GET", "/volumes?page_size=1")).toEqual({
      errors: [{ field: "page_size", reason: expect.stringContaining("at least 25") }],
    });
  expect((await request("GET", "/volumes?page_size=25")).results).toBe(2);
});

test("reports the position of a record in a page that violates the contract", async () => {
  const [, second] = ids.volumes as [number, number];
  const { size } = emulator.world.volumes.get(second);
  emulator.world.volumes.patch(second, { size: -1 });
  for (let time = 0; time < 2; time++)
    expect((await request("GET", "/volumes")).errors[0].reason).toContain("volumes.list: data.1.size:");
  emulator.world.volumes.patch(second, { size });
  expect((await request("GET", "/volumes")).results).toBe(2);
});

async function request(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
  const response = await fetch(emulator.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return JSON.parse(await response.text());
}
