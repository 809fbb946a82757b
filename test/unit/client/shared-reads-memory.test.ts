import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { changing } from "./collection";

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function isInMemory(object: WeakRef<object>): Promise<boolean> {
  await new Promise(setImmediate);
  collectGarbage();
  return object.deref() !== undefined;
}

test("a deleted object is removed from memory", async () => {
  const { api, view } = await changing(20);
  const read = async () => new WeakRef((await view(12)) as object);
  const volume = await read();
  // The client reads with DataLoader, which keeps its last result in memory. Without another read, the deleted volume
  // would therefore still be in memory.
  await view(13);
  expect(await isInMemory(volume)).toBe(true);
  await api.volumes.delete({ path: { volumeId: 12 } });
  expect(await isInMemory(volume)).toBe(false);
});

test("the parts of a deleted object are removed from memory, and those of others are not", async () => {
  const { api, reads } = await changing(20);
  const read = async (bookId: number) => new WeakRef((await reads.view("notes", { bookId, noteId: 5 })) as object);
  const [first, second] = [await read(1), await read(2)];
  await api.books.delete({ path: { bookId: 1 } });
  expect(await isInMemory(first)).toBe(false);
  expect(await isInMemory(second)).toBe(true);
});
