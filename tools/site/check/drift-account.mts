import type { DriftReport } from "../../../dist/drift/model.js";

type AccountObject = DriftReport["objects"][number];
type Finding = DriftReport["findings"][number];

const regions = ["us-east", "eu-west", "ap-south"];
const stack = "shop/prod";

/**
 * Creates the drift report of an account that has instances with volumes, firewalls and load balancers in three
 * regions, and zones with records.
 */
export function accountOf(count: number): DriftReport {
  const objects: AccountObject[] = [];
  const add = (kind: string, name: string, more: Partial<AccountObject> = {}): string => {
    const id = String(1000 + objects.length);
    const n = objects.length;
    const status = n % 37 === 7 ? "drift" : n % 97 === 90 ? "deleted" : n % 61 === 13 ? "accepted" : "unchanged";
    const address = `${stack}/${kind}/${name}`;
    objects.push({ address, kind, id, title: `${kind} "${name}" (${id})`, status, ...more });
    return `${kind}/${id}`;
  };
  for (let i = 0; objects.length < count; i++) {
    const region = regions[i % regions.length] ?? "";
    const web = add("Instance", `web-${i}`, { region, ...(i === 7 && { status: "drift" }) });
    add("Volume", `data-${i}`, { region, on: [web] });
    if (i % 3 === 0) add("Volume", `logs-${i}`, { region, on: [web] });
    if (i % 4 === 0) add("Firewall", `wall-${i}`, { on: [web] });
    if (i % 6 === 0) add("NodeBalancer", `front-${i}`, { region, on: [web] });
    if (i % 9 === 0) add("LkeCluster", `apps-${i}`, { region });
    const zone = add("Domain", `shop-${i}.example.com`);
    add("DomainRecord", `www-${i}`, { on: [zone] });
    if (i % 8 === 5) {
      const { address: _, ...old } = objects[objects.length - 1] as AccountObject;
      objects.push({
        ...old,
        kind: "Volume",
        id: `${i}`,
        title: `Volume "old-${i}" (${i})`,
        region,
        on: [],
        status: "unmanaged",
      });
    }
  }
  objects.length = count;
  const findings = objects.flatMap((object): Finding[] => {
    const { address = "", kind, id, title, status } = object;
    if (status !== "drift" && status !== "deleted" && status !== "accepted") return [];
    const name = address.split("/").at(-1) ?? "";
    const allow = `- { address: ${JSON.stringify(address)}, reason: "resized during the incident", expires: "2026-12-31" }`;
    const one = { address, urn: `urn:${address}`, kind, name, id, title, allow };
    const bucket = status === "accepted" ? ("accepted" as const) : ("drift" as const);
    if (status === "deleted") return [{ ...one, bucket, type: "deleted" }];
    return [{ ...one, bucket, type: "changed", path: "/tags/0", expected: '"prod"', actual: '"staging"' }];
  });
  const unmanaged = objects.filter(({ status }) => status === "unmanaged");
  return {
    schemaVersion: 1,
    checkedAt: "2026-11-22T10:00:00.000Z",
    stacks: [{ name: stack, resources: count - unmanaged.length, foreign: 2 }],
    findings,
    unread: [],
    coverage: { resources: count - unmanaged.length, checked: count - unmanaged.length, notCompared: [] },
    unmanaged: {
      managed: count - unmanaged.length,
      percent: 97.5,
      objects: unmanaged.map(({ kind, id, title }) => ({
        kind,
        id,
        title,
        adopt: `npx cloudinfra adopt ${kind} old-${id} ${id}`,
      })),
    },
    objects,
    notes: [],
  };
}
