import { connected, json, pageOf, rejection, type Seen, type Step, serve, volume } from "./scripted";

/**
 * A fake HTTP API with two collections that can be listed and read one by one: volumes with the ids 1 to `count`, and
 * notes with any id.
 */
export async function service(count: number, overrides: (request: Seen) => Step | undefined = () => undefined) {
  const volumes = Array.from({ length: count }, (_, i) => volume(i + 1));
  const { url, seen } = await serve((request, response) => {
    const override = overrides(request);
    if (override) return override(request, response);
    const { pathname, searchParams } = new URL(request.path, "http://x");
    const one = /(volumes|notes)\/(\d+)$/.exec(pathname);
    if (one?.[1] === "notes") return { id: Number(one[2]), text: pathname };
    if (one) return volumes.find(({ id }) => id === Number(one[2])) ?? rejection(404, "Not found")(request, response);
    const page = Number(searchParams.get("page"));
    if (pathname.endsWith("notes")) {
      const filter = JSON.parse(String(request.headers["x-filter"])) as { "+or": { id: number }[] };
      return pageOf(filter["+or"].map(({ id }) => ({ id, text: pathname })));
    }
    return pageOf(volumes.slice((page - 1) * 100, page * 100), page, Math.ceil(count / 100));
  });
  const client = connected(url);
  const view = (volumeId: number, fresh = false) =>
    client.reads.view("volumes", { volumeId }, { age: fresh ? "now" : "recent" });
  const calls = () =>
    seen.splice(0).map(({ method, path }) => `${method} ${path.replace(/\?page=(\d+)&page_size=100$/, "#$1")}`);
  return { ...client, view, calls, seen, volumes };
}

export const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** A fake HTTP API like {@link service}, which also accepts updates and deletions of volumes. */
export const changing = (count: number) => {
  const created = service(count, ({ method, path }) => {
    if (method === "GET") return undefined;
    if (method === "DELETE") return json(200, {});
    const id = Number(/volumes\/(\d+)/.exec(path)?.[1] ?? count + 1);
    const changed = { ...volume(id), label: "new" };
    void created.then(({ volumes }) => void volumes.splice(id - 1, 1, changed));
    return json(200, changed);
  });
  return created;
};
