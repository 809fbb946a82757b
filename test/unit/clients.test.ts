import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { go, python } from "../clients/install";
import { renamed, renamedName } from "../clients/names";
import { startShim } from "../clients/shim";
import { cloud } from "../contract/cloud";

afterEach(() => vi.unstubAllEnvs());

/**
 * Pairs of equivalent values: with the names that published API clients use, such as `linode_id`, and with the names of
 * the emulated API, such as `compute_id`.
 */
test.each<[string, unknown, unknown]>([
  ["a field", { linode_id: 7, linodes: [7] }, { compute_id: 7, computes: [7] }],
  ["an image", { image: "linode/debian11" }, { image: "compute/debian11" }],
  ["an event", { action: "linode_config_create" }, { action: "compute_config_create" }],
  [
    "an entity",
    { entity: { id: 7, type: "linode", url: "/v4/linode/instances/7" } },
    { entity: { id: 7, type: "compute", url: "/v4/compute/instances/7" } },
  ],
  ["scopes", { scopes: "linodes:read_write events:read_only" }, { scopes: "computes:read_write events:read_only" }],
  [
    "a filter",
    { "entity.type": "linode", "+or": [{ action: { "+contains": "linode_" } }] },
    { "entity.type": "compute", "+or": [{ action: { "+contains": "compute_" } }] },
  ],
  [
    "a refusal",
    { errors: [{ field: "devices.linodes.0", reason: "Linode busy." }] },
    { errors: [{ field: "devices.computes.0", reason: "Compute busy." }] },
  ],
])("the clients' proxy renames %s in both directions", (_, client, service) => {
  expect(renamed(client, "to service")).toEqual(service);
  expect(renamed(service, "to client")).toEqual(client);
});

test("the clients' proxy does not change user data, numbers and other words", () => {
  const own = {
    label: "linode",
    description: "my linode/7",
    size: 20,
    tags: ["linode"],
    null: null,
    computer: "compute",
  };
  expect(renamed(own, "to service")).toEqual(own);
  expect(renamedName("/v4/linode/kernels/linode/grub2?x=linodego", "to service")).toBe(
    "/v4/compute/kernels/compute/grub2?x=linodego",
  );
});

test("the clients' proxy passes status, headers and bytes that are not JSON", async () => {
  await using one = await cloud();
  await using shim = await startShim(new URL(one.url).origin);
  const headers = { authorization: `Bearer ${one.token}`, "x-filter": '{"label":"none"}' };
  const listed = await fetch(`${shim.origin}/v4/linode/instances`, { headers });
  expect(await listed.json()).toMatchObject({ data: [], results: 0 });
  expect(listed.headers.get("x-accepted-oauth-scopes")).toBe("linodes:read_only");
  expect(listed.headers.get("content-type")).toBe("application/json");
  const kernel = await fetch(`${shim.origin}/v4/linode/kernels/linode%2Flatest-64bit`, { headers });
  expect(await kernel.json()).toMatchObject({ id: "linode/latest-64bit" });
  const json = { ...headers, "content-type": "application/json" };
  const bad = await fetch(`${shim.origin}/v4/volumes`, { method: "POST", headers: json, body: "no JSON" });
  expect(bad.status).toBe(400);
});

test.each([
  ["python", "python3 is missing or does not run. Install Python 3.8 or later with its module venv."],
  ["go", "go is missing or does not run. Install Go 1.17 or later."],
] as const)("make clients reports the tools that are missing for %s", async (tool, message) => {
  const cache = mkdtempSync(join(tmpdir(), "clients-"));
  vi.stubEnv("CLOUDINFRA_CACHE", cache);
  vi.stubEnv("PATH", cache);
  await expect({ python, go }[tool](join(__dirname, `../clients/${tool}`))).rejects.toThrow(message);
  rmSync(cache, { recursive: true });
});
