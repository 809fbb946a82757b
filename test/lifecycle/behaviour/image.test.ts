import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { disk, file } from "../kinds/files";
import type { Account } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("Image", "golden");

const golden = { label: "golden", region: "us-east", file: disk.raw } as const;
const PUT = "/image-uploads/*";
/**
 * The emulator's request log contains no operation name for the upload of the data, because the upload URL is not part
 * of the API.
 */
const DATA = "null";

const images = ({ world }: Account) => world.images.all().filter(({ is_public }) => !is_public);

/** Creates an instance with a disk from which an image can be created. */
async function deployed({ api, emulator }: Account) {
  const image = "compute/debian11";
  const { id } = await api.instances.create({
    body: { label: "web", region: "us-east", type: "g6-nanode-1", image, root_pass: "correct horse 1" },
  });
  emulator.settle();
  const { data } = await api.instanceDisks.list({ path: { computeId: id } });
  return { computeId: id, diskId: data.find(({ filesystem }) => filesystem !== "swap")?.id as number };
}

describe("Image", () => {
  test("compresses a file during the upload, and keeps nothing of the URL in state", async ({ world, it }) => {
    await it.up(golden);
    expect(images(world)).toMatchObject([{ id: it.id, label: "golden", status: "available", size: 1 }]);
    expect(it.id).toMatch(/^private\/\d+$/);
    expect(it.outs).toMatchObject({ status: "available", file: disk.raw });
    expect(it.outs).not.toHaveProperty("uploadTo");
    expect(await it.refresh()).toBe("same");
  });

  test("uploads gzip data unchanged from a file, a text or a URL", async ({ world }) => {
    for (const source of [{ path: disk.packed }, { text: disk.text }, { uri: `file://${disk.packed}` }]) {
      const it = new Managed("Image", world.host, "golden");
      await it.up({ region: "us-east", source });
      expect(it.outs).toMatchObject({ status: "available", label: expect.stringMatching(/^golden-\w{7}$/) });
    }
    expect(images(world)).toHaveLength(3);
  });

  test("an equal file is not a difference; another one creates the new image first", async ({ world, it }) => {
    const path = file("moving.img", "one");
    await it.up({ ...golden, file: path });
    const { id } = it;
    expect((await it.up({ ...golden, file: file("moved.img", "one") })).op).toBe("same");
    expect(it.id).toBe(id);
    writeFileSync(path, "two");
    world.calls();
    const { op, deleteBeforeReplace } = await it.up({ ...golden, file: path });
    expect([op, deleteBeforeReplace]).toEqual(["replace", false]);
    expect(world.calls()).toEqual(["images.upload", DATA, "images.delete"]);
    expect(images(world)).toMatchObject([{ id: it.id, label: "golden" }]);
  });

  test("the next update uploads the data again after an interrupted upload", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "cut-before", path: PUT, times: 100 });
    await expect(it.up(golden)).rejects.toThrow("the response was lost");
    world.emulator.faults.clear();
    const { id } = it;
    expect(it.outs).toMatchObject({ status: "pending_upload", uploadTo: expect.stringContaining("token=") });
    world.emulator.advance(3_600_000);
    world.calls();
    expect((await it.up(golden)).op).toBe("update");
    expect(world.calls()).toEqual([DATA]);
    expect(it.id).toBe(id);
    expect(it.outs).toMatchObject({ status: "available" });
    expect(it.outs).not.toHaveProperty("uploadTo");
  });

  test("after a refresh, the missing data is still uploaded by the next update", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "cut-before", path: PUT, times: 100 });
    await expect(it.up(golden)).rejects.toThrow();
    world.emulator.faults.clear();
    await it.refresh();
    expect((await it.up(golden)).op).toBe("update");
    expect(world.messages()).toContain(
      "golden: the data will be uploaded again, because an earlier upload did not finish",
    );
    expect(it.outs).toMatchObject({ status: "available" });
  });

  test("a refresh removes the URL of an upload that was carried out although its response was lost", async ({
    world,
    it,
  }) => {
    world.emulator.faults.add({ kind: "cut-before", path: PUT, times: 100 });
    await expect(it.up(golden)).rejects.toThrow("the response was lost");
    world.emulator.faults.clear();
    const other = new Managed("Image", world.host, "golden");
    other.state = it.state;
    await other.up(golden);
    it.reconnect(world.reconnect());
    await it.refresh();
    expect(it.outs).toMatchObject({ status: "available" });
    expect(it.outs).not.toHaveProperty("uploadTo");
  });

  test("the next update creates a missing object again although no input has changed", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "cut-before", path: PUT, times: 100 });
    await expect(it.up(golden)).rejects.toThrow();
    world.emulator.faults.clear();
    // The service deletes images whose data is not uploaded within a day.
    world.emulator.advance(25 * 3_600_000);
    const { id } = it;
    world.messages();
    const plan = await it.up(golden);
    expect(plan).toMatchObject({ op: "replace", deleteBeforeReplace: true });
    expect(plan.replaces).toEqual(expect.arrayContaining(["label", "region", "contentHash"]));
    expect(world.messages()).toEqual([
      `Image "golden" (${id}) no longer exists: it was deleted outside this program. It will be created again`,
    ]);
    expect(it.id).not.toBe(id);
    expect(images(world)).toMatchObject([{ id: it.id, status: "available" }]);
  });

  test.for(["cut-before", "cut-after", "cut-mid", "status"] as const)(
    "uploads the data once: %s",
    async (kind, { world }) => {
      const it = new Managed("Image", world.host);
      world.emulator.faults.add({ kind, path: PUT });
      await it.up(golden);
      expect(it.outs).toMatchObject({ status: "available" });
      expect(images(world)).toHaveLength(1);
    },
  );

  test("an image whose upload URL was lost is deleted, and another one is created", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "cut-after", path: "images.upload" });
    await it.up(golden);
    expect(world.calls()).toEqual(["images.upload", "images.delete", "images.upload", DATA]);
    expect(images(world)).toMatchObject([{ id: it.id, status: "available" }]);
  });

  test("a rejected upload shows the API's reason, without the URL", async ({ it }) => {
    const broken = file("broken.img.gz", gzipSync(disk.text).subarray(0, -4));
    const failure = await it.up({ ...golden, file: broken }).catch((error: Error) => error.message);
    expect(failure).toMatch(/^Image "golden" \(private\/\d+\): 400 The data is not a complete gzip file/);
    expect(failure).not.toContain("token=");
  });

  test("stops an upload if the content changes meanwhile", async ({ world, it }) => {
    const path = file("changing.img", "one");
    const { inputs } = await it.preview({ ...golden, file: path });
    expect(inputs.contentHash).toMatch(/^[0-9a-f]{64}$/);
    const { images: area } = world.host.api;
    const slow: typeof area = {
      ...area,
      upload: (async (input: Parameters<typeof area.upload>[0]) => {
        writeFileSync(path, "two");
        return area.upload(input);
      }) as typeof area.upload,
    };
    it.reconnect({ ...world.host, api: { ...world.host.api, images: slow } });
    await expect(it.up({ ...golden, file: path })).rejects.toThrow("the content changed during the upload");
    expect(images(world)).toMatchObject([{ status: "pending_upload", size: 0 }]);
  });

  test("finds a captured image whose response was lost, and repeats a failed capture", async ({ world, it }) => {
    const { diskId } = await deployed(world);
    world.emulator.faults.add({ kind: "cut-after", path: "images.create" });
    await it.up({ label: "golden", diskId });
    expect(images(world)).toHaveLength(1);
    const other = new Managed("Image", world.host);
    world.emulator.faults.add({ kind: "job-fail", path: "images.create" });
    await expect(other.up({ label: "silver", diskId })).rejects.toThrow(
      /^Image "silver" \(private\/\d+\) disappeared before it became ready/,
    );
    expect(other.state).toBeUndefined();
    await other.up({ label: "silver", diskId });
    expect(images(world)).toHaveLength(2);
  });

  test("deletes an image only after its capture", async ({ world }) => {
    const { diskId } = await deployed(world);
    const it = new Managed("Image", { ...world.host, settings: { timeouts: { Image: { create: "1s" } } } });
    await expect(it.up({ label: "golden", diskId })).rejects.toThrow('timed out after 1 s: state "creating"');
    it.reconnect(world.reconnect());
    await it.destroy();
    expect(images(world)).toEqual([]);
  });
});
