import { expect } from "vitest";
import { contentTypeOf, namedOperations, operations } from "../../api";
import { type Cloud, test } from "./cloud";
import { debian, machine } from "./compute/instance";
import { optionalKeys } from "./matrix/keys";

/** The fields that responses may omit, with the reasons. */
const mayLack: readonly { fields: RegExp; because: string }[] = [
  { fields: /(in|out)bound\[\]\.ports$/, because: "Part 3: a rule for ICMP has no ports." },
  {
    fields: /(in|out)bound\[\]\.((label|description)|addresses\.ipv[46])$/,
    because: "A rule is returned as it was sent: the service is recorded to add no field to it.",
  },
];

test("a response omits a field of its record only if the documents or recordings do", () => {
  const optional = namedOperations(operations).flatMap(({ name, operation: { result } }) =>
    contentTypeOf(result) ? [] : optionalKeys(result).map((key) => `${name} ${key}`),
  );
  expect(optional.filter((key) => !mayLack.some(({ fields }) => fields.test(key)))).toEqual([]);
  for (const { fields } of mayLack)
    expect(
      optional.some((key) => fields.test(key)),
      String(fields),
    ).toBe(true);
});

type Look = (one: Cloud) => Promise<object>;

const created =
  (path: `/${string}`, body: object): Look =>
  async ({ send }) =>
    (await send(`POST ${path}`, { body })).body;

const onMachine =
  (look: (one: Cloud, path: `/compute/instances/${number}`) => Promise<object>): Look =>
  async (one) =>
    look(one, (await machine(one, debian)).path);

/**
 * Objects that are created with few inputs. For fields that are not set, responses must contain the listed values, such
 * as an empty list.
 */
const bare: Record<string, readonly [Look, object]> = {
  "a domain": [
    created("/domains", { domain: "example.org", type: "master", soa_email: "a@example.org" }),
    { description: "", group: "", master_ips: [], axfr_ips: [], tags: [] },
  ],
  "a slave domain": [
    created("/domains", { domain: "example.org", type: "slave", master_ips: ["192.0.2.1"] }),
    { description: "", group: "", soa_email: "" },
  ],
  "an instance": [
    created("/compute/instances", { region: "us-east", type: "g6-nanode-1" }),
    { group: "", image: null, tags: [], backups: { enabled: false, last_successful: null } },
  ],
  "the backups of an instance": [
    onMachine(async ({ send }, path) => (await send(`GET ${path}/backups`)).body),
    { automatic: [], snapshot: { current: null, in_progress: null } },
  ],
  "a snapshot under way": [
    onMachine(async ({ send }, path) => {
      await send(`POST ${path}/backups/enable`);
      return (await send(`POST ${path}/backups`, { body: { label: "first" } })).body;
    }),
    { label: "first", finished: null },
  ],
  "a private image": [
    created("/images/upload", { label: "own", region: "us-east" }),
    { image: { description: "", eol: null, vendor: null, expiry: null } },
  ],
  "a private address": [
    onMachine(
      async ({ send }, path) => (await send(`POST ${path}/ips`, { body: { type: "ipv4", public: false } })).body,
    ),
    { public: false, gateway: null, rdns: null },
  ],
  "the addresses of an instance": [
    onMachine(async ({ send }, path) => (await send(`GET ${path}/ips`)).body),
    { ipv4: { private: [], shared: [], reserved: [] }, ipv6: { global: [], link_local: { rdns: null } } },
  ],
  "a config": [
    onMachine(
      async ({ send }, path) => (await send(`POST ${path}/configs`, { body: { label: "two", devices: {} } })).body,
    ),
    { comments: "", interfaces: [] },
  ],
  "a managed credential": [
    created("/managed/credentials", { label: "root", password: "Correct-Horse-42" }),
    { last_decrypted: null },
  ],
  "a managed contact": [
    created("/managed/contacts", {}),
    { name: "", email: "", group: null, phone: { primary: null, secondary: null } },
  ],
  "a firewall": [
    created("/networking/firewalls", { label: "wall", rules: { inbound_policy: "DROP", outbound_policy: "DROP" } }),
    { tags: [], rules: { inbound: [], outbound: [] } },
  ],
};

test.each(Object.keys(bare))("unset fields are returned as empty: %s", async (one, name) => {
  const [look, empties] = bare[name] as readonly [Look, object];
  expect(await look(one)).toMatchObject(empties);
});

test("fields that were never set are empty in lists and tagged objects too", async (one) => {
  const body = { domain: "example.org", type: "slave", master_ips: ["192.0.2.1"], tags: ["prod"] };
  await one.send("POST /domains", { body });
  const empties = { description: "", group: "", soa_email: "" };
  expect((await one.send("GET /domains")).body.data).toMatchObject([empties]);
  expect((await one.send("GET /tags/prod")).body.data).toMatchObject([{ type: "domain", data: empties }]);
});

test("an update of a domain or contact accepts the empty fields that GET returns, and no others", async (one) => {
  const slave = { domain: "example.org", type: "slave", master_ips: ["192.0.2.1"] };
  for (const [path, body, empty] of [
    ["/domains", slave, ["description", "group", "soa_email"]],
    ["/managed/contacts", {}, ["name", "email"]],
  ] as const) {
    const createdObjects = (await one.send(`POST ${path}`, { body })).body;
    const at = `${path}/${createdObjects.id}` as const;
    expect((await one.send(`PUT ${at}`, { body: createdObjects })).status).toBe(200);
    const set = {
      description: "Ours",
      group: "web",
      soa_email: "a@example.org",
      name: "On call",
      email: "a@example.org",
    };
    for (const field of empty) {
      await one.send(`PUT ${at}`, { body: { [field]: set[field] } });
      const rejected = await one.send(`PUT ${at}`, { body: { [field]: "" } });
      expect([field, rejected.status, rejected.body.errors[0].field]).toEqual([field, 400, field]);
    }
  }
});
