import { expect } from "vitest";
import { test } from "../cloud";

test("a kernel names its version, architecture and the virtualization that it supports", async ({ send }) => {
  const kernel = async (name: string) => (await send(`GET /compute/kernels/compute/${name}`)).body;
  const common = { kvm: true, xen: false, pvops: true, deprecated: false, built: "2021-12-01T12:00:00" };
  expect(await kernel("latest-64bit")).toEqual({
    ...{ id: "compute/latest-64bit", label: "Latest 64 bit (5.15.10-x86_64)", version: "5.15.10" },
    ...{ ...common, architecture: "x86_64" },
  });
  expect(await kernel("latest-32bit")).toMatchObject({ ...common, architecture: "i386", deprecated: true });
  expect(await kernel("direct-disk")).toMatchObject({ ...common, architecture: "x86_64", pvops: false });
});

test("every kernel has a label of its own", async ({ send }) => {
  const kernels: { label: string }[] = (await send("GET /compute/kernels")).body.data;
  const labels = kernels.map(({ label }) => label);
  expect(labels.length).toBeGreaterThan(0);
  expect(labels).not.toContain("");
  expect(new Set(labels).size).toBe(labels.length);
});

test("a kernel whose id begins with a version has that version", async ({ send }) => {
  const kernels: { id: string; version: string }[] = (await send("GET /compute/kernels")).body.data;
  const versions = kernels.flatMap(({ id, version }) => {
    const [, named] = /^compute\/(\d[\d.]*)-/.exec(id) ?? [];
    return named === undefined ? [] : [{ named, version }];
  });
  expect(versions.length).toBeGreaterThan(2);
  for (const { named, version } of versions) expect(version).toBe(named);
});
