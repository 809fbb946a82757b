import type { Pace } from "../emulator";
import { startEmulator } from "../emulator";
import { headers, send } from "./requests";

/** Milliseconds that an operation takes on the service, from the request until the object is ready or deleted. */
export interface ServiceTime {
  create: number;
  delete: number;
}

const objects = {
  Domain: { path: "/domains", body: { domain: "example.com", type: "master", soa_email: "admin@example.com" } },
  Instance: {
    path: "/compute/instances",
    body: { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: "correct horse 1 battery" },
    ready: "running",
  },
  Volume: { path: "/volumes", body: { label: "one", region: "us-east", size: 20 }, ready: "active" },
} as const;

/** Measures the times by creating and deleting one object of each kind on an emulator that responds without delay. */
export async function serviceTimes(pace: Pace): Promise<Record<string, ServiceTime>> {
  await using emulator = await startEmulator({ pace });
  const times: Record<string, ServiceTime> = {};
  for (const [kind, object] of Object.entries(objects)) {
    const startedAt = performance.now();
    const { id } = await send(emulator.url, "POST", object.path, object.body);
    const url = `${emulator.url}${object.path}/${id}`;
    if ("ready" in object)
      while (((await (await fetch(url, { headers })).json()) as { status: string }).status !== object.ready)
        await turn();
    const deleting = performance.now();
    await fetch(url, { method: "DELETE", headers });
    while ((await fetch(url, { headers })).status !== 404) await turn();
    times[kind] = { create: deleting - startedAt, delete: performance.now() - deleting };
  }
  return { ...times, DomainRecord: { create: 0, delete: 0 } };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
