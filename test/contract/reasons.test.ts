import { expect } from "vitest";
import { messages, test } from "./cloud";
import { debian, machine } from "./compute/instance";

test("rejects the allocation of an address of type ipv6 without naming a field", async (one) => {
  const { id, path } = await machine(one, { region: "us-east", type: "g6-nanode-1" });
  const body = { type: "ipv6", public: true };
  const rejected = { errors: [{ reason: "Only addresses of type ipv4 are currently supported." }] };
  expect(await one.send(`POST ${path}/ips`, { body })).toMatchObject({ status: 400, body: rejected });
  const networking = await one.send("POST /networking/ips", { body: { ...body, compute_id: id } });
  expect([networking.status, networking.body]).toEqual([400, rejected]);
});

test("rejects a weak password with the strength requirement, in every operation", async (one) => {
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

test("an address for an instance that does not exist is rejected with: Compute is not active", async (one) => {
  const body = { type: "ipv4", public: true, compute_id: 7 };
  expect(await one.send("POST /networking/ips", { body })).toMatchObject({
    status: 400,
    body: { errors: [{ field: "compute_id", reason: "Compute is not active" }] },
  });
});
