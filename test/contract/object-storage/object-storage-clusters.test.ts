import { expect } from "vitest";
import { test } from "../cloud";

test("lists and views clusters without a token, each in a region with object storage", async (one) => {
  const { send } = one;
  const all = await send("GET /object-storage/clusters", { token: null });
  expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([
    "us-east-1",
    "eu-central-1",
    "ap-south-1",
    "us-southeast-1",
  ]);
  for (const cluster of all.body.data) {
    expect((await send(`GET /object-storage/clusters/${cluster.id}`, { token: null })).body).toEqual(cluster);
    expect(one.world.regions.get(cluster.region).capabilities).toContain("Object Storage");
  }
  expect(all.body.data[0]).toMatchObject({
    region: "us-east",
    status: "available",
    domain: "us-east-1.objects.cloudinfra.example",
    static_site_domain: "website-us-east-1.objects.cloudinfra.example",
  });
});
