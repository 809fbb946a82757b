import { isIP } from "node:net";
import { expect } from "vitest";
import { fieldsOf, InstanceCreate, metaOf, operations, type Region } from "../../api";
import { cloud, test } from "./cloud";
import { proves } from "./proves";

interface Shown {
  parameters: { name: string; in: string; schema: object }[];
  [method: string]: unknown;
}

async function document(): Promise<{ info: { version: string }; paths: Record<string, Shown> }> {
  await using one = await cloud();
  return (await fetch(new URL("/openapi.json", one.url))).json() as never;
}

test("path parameters have the names and types of the documents", async () => {
  proves("part 1 · Endpoints · Common rules · rule 4");
  const { paths } = await document();
  const shown = new Map(
    Object.values(paths).flatMap(({ parameters }) => parameters.map(({ name, schema }) => [name, schema] as const)),
  );
  for (const name of ["computeId", "configId", "volumeId"]) expect(shown.get(name)).toMatchObject({ type: "integer" });
  for (const name of ["kernelId", "regionId"]) expect(shown.get(name)).toMatchObject({ type: "string" });
  expect(shown.get("year")).toMatchObject({ type: "integer" });
  expect(shown.get("month")).toMatchObject({ type: "integer", minimum: 1, maximum: 12 });
});

test("regions offer different services, and requests for missing ones are rejected", async ({ send }) => {
  proves("part 1 · Endpoints · Kernels and regions · rule 1");
  const regions: { id: string; capabilities: string[] }[] = (await send("GET /regions")).body.data;
  const having = (capability: string): string[] =>
    regions.filter(({ capabilities }) => capabilities.includes(capability)).map(({ id }) => id);
  expect(having("Computes")).toHaveLength(regions.length);
  expect(having("Object Storage").sort()).toEqual(["ap-south", "eu-central", "us-east", "us-southeast"]);
  const without = regions.map(({ id }) => id).filter((id) => !having("Vlans").includes(id));
  expect(without.sort()).toEqual(["us-central", "us-west"]);
  for (const region of ["us-west", "eu-west"]) {
    const vlan = { purpose: "vlan", label: "inner", ipam_address: "10.0.0.1/24" };
    const body = { region, type: "g6-nanode-1", interfaces: [vlan] };
    expect((await send("POST /compute/instances", { body })).status).toBe(region === "us-west" ? 400 : 200);
  }
});

test("every region has a name, a country and DNS resolvers of its own", async ({ send }) => {
  const regions: Region[] = (await send("GET /regions")).body.data;
  expect(regions.length).toBeGreaterThan(0);
  for (const { id, country, resolvers } of regions) {
    expect(id).toMatch(/^[a-z]+-[a-z]+$/);
    expect(country, id).toMatch(/^[a-z]{2}$/);
    expect(resolvers.ipv4.split(",").map(isIP), id).toEqual([4, 4, 4]);
    expect(resolvers.ipv6.split(",").map(isIP), id).toEqual([6, 6, 6]);
  }
  const addresses = regions.flatMap(({ resolvers: { ipv4, ipv6 } }) => [...ipv4.split(","), ...ipv6.split(",")]);
  expect(new Set(addresses).size).toBe(6 * regions.length);
});

test("us-east has VLANs, and Debian 9 can be deployed", async (one) => {
  const body = { region: "us-east", type: "g6-nanode-1", image: "compute/debian9", root_pass: "correct horse" };
  const vlan = { purpose: "vlan", label: "inner", ipam_address: "10.0.0.1/24" };
  expect((await one.send("GET /images/compute/debian9")).body).toMatchObject({ label: "Debian 9", is_public: true });
  expect((await one.send("POST /compute/instances", { body: { ...body, interfaces: [vlan] } })).status).toBe(200);
});

test("responses and the OpenAPI document contain the version 4.108.1", async (one) => {
  proves("part 1 · Versioning · rule 2");
  expect((await document()).info.version).toBe("4.108.1");
  for (const path of ["/regions", "/nowhere"] as const)
    expect((await one.send(`GET ${path}`)).headers.get("x-spec-version")).toBe("4.108.1");
});

test("exactly the operations that the documents call deprecated are marked as deprecated", async () => {
  proves("part 1 · Versioning · rule 3");
  expect(metaOf(fieldsOf(InstanceCreate).group as never).deprecated).toBe(true);
  const { paths } = await document();
  const deprecated = Object.entries(paths).flatMap(([path, item]) =>
    ["get", "post", "put", "delete"]
      .filter((method) => (item[method] as { deprecated?: boolean } | undefined)?.deprecated)
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const transfers = "/v4/account/entity-transfers";
  expect(deprecated.sort()).toEqual([
    `DELETE ${transfers}/{token}`,
    `GET ${transfers}`,
    `GET ${transfers}/{token}`,
    "POST /v4/account/credit-card",
    `POST ${transfers}`,
    `POST ${transfers}/{token}/accept`,
  ]);
  expect(operations.account.setCreditCard.deprecated).toBe(true);
});

test("the id of an event is an integer", async (one) => {
  proves("part 3 · Endpoints · Events · rule 2");
  await one.send("POST /volumes", { body: { label: "data", region: "us-east" } });
  const [event] = (await one.send("GET /account/events")).body.data;
  expect(Number.isInteger(event.id)).toBe(true);
  expect((await one.send(`GET /account/events/${event.id}`)).status).toBe(200);
  for (const id of ["x", "1.5", `${event.id}.0`])
    expect((await one.send(`GET /account/events/${id}`)).status).toBe(404);
});
