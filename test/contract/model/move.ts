import { Readable } from "node:stream";
import { dataPlanes } from "../../../emulator/areas";
import type { World } from "../../../emulator/core/world";
import type { DataPlane } from "../../../emulator/http/data-plane";
import { of, one } from "./picks";
import type { Move, TestService } from "./service";

const objects = dataPlanes.find(({ prefix }) => prefix === "/objects/") as DataPlane;

export const nothing = { status: 404, body: {} };
const regions = ["us-east", "eu-central"] as const;
export const types = ["g6-nanode-1", "g6-standard-1", "g6-standard-2"] as const;

export const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };

/** Creates a random request for one of the instances in the account. */
export const onInstance =
  (
    method: string,
    rest: (service: TestService, id: number, picks: readonly number[]) => [path: string, body?: object] | undefined,
  ): Move =>
  async (service, picks) => {
    const id = one(service.world.instances.all(), picks[0])?.id;
    const [path, body] = (id && rest(service, id, picks)) || [];
    return id && path !== undefined ? service.send(method, `/compute/instances/${id}${path}`, body) : nothing;
  };

/**
 * Creates a random request for one of the objects in a table of the emulator. `path` returns the request's path for the
 * id of the object.
 */
export const on =
  (
    rows: (world: World) => readonly { id: number }[],
    method: string,
    path: (id: number, service: TestService) => string,
    body: (service: TestService, picks: readonly number[]) => object | undefined = () => undefined,
  ): Move =>
  async (service, picks) => {
    const id = one(rows(service.world), picks[0])?.id;
    return id === undefined ? nothing : service.send(method, path(id, service), body(service, picks));
  };

export const instance = (service: TestService, pick = 0) => one(service.world.instances.all(), pick)?.id ?? 1;
export const region = (pick = 0) => of(regions, pick);
export const privateAddress = ({ world }: TestService, pick = 0) =>
  one(
    world.addresses.where((row) => row.type === "ipv4" && !row.public),
    pick,
  )?.id ?? "192.168.128.9";

/** Requests a pre-signed URL and uses it. */
export async function byUrl(
  { world, send }: TestService,
  method: "PUT" | "DELETE",
  bucket: number,
  { name, text = "" }: { name: string; text?: string },
): ReturnType<TestService["send"]> {
  const signed = await send("POST", `/object-storage/buckets/us-east-1/bucket-${bucket % 4}/object-url`, {
    method,
    name,
    ...(method === "PUT" && { content_type: "text/plain" }),
  });
  if (signed.status !== 200) return signed;
  const url = new URL(signed.body.url);
  const { status, body } = await objects.handle(world, {
    method,
    rest: url.pathname.slice(objects.prefix.length),
    query: url.searchParams,
    headers: method === "PUT" ? { "content-type": "text/plain" } : {},
    body: Readable.from([Buffer.from(text)]),
  });
  return { status: status === 204 ? 200 : status, body };
}
