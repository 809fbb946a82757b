import { expect, test } from "vitest";
import { cloud } from "./cloud";
import { debian, machine, messages } from "./compute/instance";

test("a new cluster has no API endpoints yet, reported with the service's own text", async () => {
  await using one = await cloud();
  const cluster = { label: "main", region: "us-east", k8s_version: "1.20", node_pools: [] };
  const { id } = (await one.send("POST /lke/clusters", { body: cluster })).body;
  const { status, body } = await one.send(`GET /lke/clusters/${id}/api-endpoints`);
  const reason = "Cluster API Endpoints are not yet available. Please try again later.";
  expect([status, body]).toEqual([503, { errors: [{ reason }] }]);
});

test("rejects the allocation of an address of type ipv6 without naming a field", async () => {
  await using one = await cloud();
  const { id, path } = await machine(one, { region: "us-east", type: "g6-nanode-1" });
  const body = { type: "ipv6", public: true };
  const rejected = { errors: [{ reason: "Only addresses of type ipv4 are currently supported." }] };
  expect(await one.send(`POST ${path}/ips`, { body })).toMatchObject({ status: 400, body: rejected });
  const networking = await one.send("POST /networking/ips", { body: { ...body, compute_id: id } });
  expect([networking.status, networking.body]).toEqual([400, rejected]);
});

test("rejects a weak password with the strength requirement, in every operation", async () => {
  await using one = await cloud();
  const { path } = await machine(one, debian);
  const [disk] = (await one.send(`GET ${path}/disks`)).body.data;
  const weak = "onlyletters";
  const reason = "Password does not meet strength requirement";
  const create = { ...debian, root_pass: weak };
  for (const [request, body, field] of [
    ["POST /compute/instances", create, "root_pass"],
    [`POST ${path}/rebuild`, { image: debian.image, root_pass: weak }, "root_pass"],
    [`POST ${path}/password`, { root_pass: weak }, "root_pass"],
    [`POST ${path}/disks/${disk.id}/password`, { password: weak }, "password"],
  ] as const)
    expect(messages(await one.send(request, { body })), request).toEqual([`${field}: ${reason}`]);
});

test.each(["GET", "PUT", "DELETE"] as const)(
  "%s of an access key that does not exist returns its own reason",
  async (method) => {
    await using one = await cloud();
    const sent = method === "PUT" ? { body: { label: "app" } } : {};
    const { status, body } = await one.send(`${method} /object-storage/keys/123`, sent);
    expect([status, body]).toEqual([404, { errors: [{ reason: "The specified access key was not found." }] }]);
  },
);

test("an address for an instance that does not exist is rejected with: Compute is not active", async () => {
  await using one = await cloud();
  const body = { type: "ipv4", public: true, compute_id: 7 };
  expect(await one.send("POST /networking/ips", { body })).toMatchObject({
    status: 400,
    body: { errors: [{ field: "compute_id", reason: "Compute is not active" }] },
  });
});
