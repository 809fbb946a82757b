import { type Cloud, cloud, testsIn } from "../cloud";

export async function domain({ send }: Cloud, name = "example.org"): Promise<number> {
  const body = { domain: name, type: "master", soa_email: "admin@example.org" };
  return (await send("POST /domains", { body })).body.id;
}

/** Creates an account with a domain, and functions that change its records. */
export async function zone() {
  const one = await cloud();
  const path = `/domains/${await domain(one)}/records` as const;
  return {
    ...one,
    path,
    add: (body: object) => one.send(`POST ${path}`, { body }),
    change: (id: number, body: object) => one.send(`PUT ${path}/${id}`, { body }),
  };
}

export const srv = { type: "SRV", service: "sip", target: "sip", priority: 0, weight: 0, port: 5060 };

/** Defines a test in an account with a domain. */
export const test = testsIn(zone);
