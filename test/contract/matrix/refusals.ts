import { expect, test } from "vitest";
import {
  contentTypeOf,
  entryOf,
  fieldsOf,
  filterableFields,
  isRequired,
  layersOf,
  type Operation,
  pathNames,
  queryOf,
} from "../../../api";
import { badBodies, badValues } from "./bad";
import type { Account } from "./plan";
import { allOperations, fieldsIn, type Input, type Ready, request, versionOf } from "./request";

/**
 * Fields that accept an empty string in an update. The API returns an empty string if they are not set, and clients can
 * send a response back unchanged.
 */
const takenEmpty: Readonly<Record<string, readonly string[]>> = {
  "PUT /domains/{domainId}": ["description", "group", "soa_email"],
  "PUT /images/{imageId}": ["label"],
  "PUT /managed/contacts/{contactId}": ["name", "email"],
};

const nonsense = ["does-not-exist", "-1.5", "1.5", "x", "::g", "%", "\u{1f600}"];

/**
 * Requests fail with 404 if a path parameter matches no object. Numbers outside the documented bounds fail with 400.
 */
export function ids(operation: Operation, ready: () => Ready): void {
  for (const name of pathNames(operation.path)) {
    const schema = operation.params?.[name];
    const isNumber = schema?._zod.def.type === "number";
    test(`404 Not found for an unknown ${name}`, async () => {
      const { account, input } = ready();
      const ids = ["987654321", "0", "-1", "07", "9".repeat(30)];
      const others = schema ? (isNumber ? [] : ["0", "-1", unlike(String(input.path?.[name]))]) : ids;
      for (const value of [...nonsense, ...others]) {
        const { status, body } = await request(account, operation, with_(input, name, value));
        const isKey = name === "keyId" && /^[1-9]\d{0,14}$/.test(value);
        const reason = isKey ? "The specified access key was not found." : "Not found";
        expect([value, status, body], name).toEqual([value, 404, { errors: [{ reason }] }]);
      }
    });
    if (isNumber)
      test(`400 for a ${name} out of bounds`, async () => {
        const { account, input } = ready();
        for (const value of badValues(schema).filter(Number.isInteger)) {
          if (value === 7) continue;
          const rejected = await request(account, operation, with_(input, name, String(value)));
          expect([value, rejected.status], name).toEqual([value, 400]);
          expect(fieldsIn(rejected)).toContain(name);
        }
      });
  }
}

/** For each path parameter of an object that owns others, a function that creates a second object of that kind. */
const otherOwners: Readonly<Record<string, (account: Account, input: Input) => Promise<{ id: number }>>> = {
  computeId: ({ api }) => api.instances.create({ body: { region: "us-east", type: "g6-standard-1" } }),
  domainId: ({ api }) =>
    api.domains.create({ body: { domain: "example.com", type: "master", soa_email: "admin@example.com" } }),
  firewallId: ({ api }) =>
    api.firewalls.create({ body: { label: "other", rules: { inbound_policy: "DROP", outbound_policy: "DROP" } } }),
  nodeBalancerId: ({ api }) => api.nodeBalancers.create({ body: { region: "eu-central" } }),
  configId: ({ api }, { path }) =>
    api.nodeBalancerConfigs.create({ path: { nodeBalancerId: Number(path?.nodeBalancerId) }, body: { port: 7 } }),
  clusterId: ({ api }) =>
    api.lkeClusters.create({ body: { label: "other", region: "us-east", k8s_version: "1.20", node_pools: [] } }),
};

/** Requests fail with 404 if the path contains an object and an owner to which it does not belong. */
export function owners(operation: Operation, ready: () => Ready): void {
  for (const [, owner = "", owned] of operation.path.matchAll(/\{(\w+)\}\/[a-z]+\/(?=\{(\w+Id|address)\})/g))
    test(`404 Not found for a ${owned} of another ${owner}`, async () => {
      const { account, input } = ready();
      const other = await otherOwners[owner]?.(account, input);
      const { status, body } = await request(account, operation, with_(input, owner, String(other?.id)));
      expect([status, body]).toEqual([404, { errors: [{ reason: "Not found" }] }]);
      expect(other?.id).toBeTypeOf("number");
    });
}

const with_ = (input: Input, name: string, value: string): Input => ({
  ...input,
  path: { ...input.path, [name]: value },
});

/** Another id of the same format: the last letter or digit is replaced by a different one. */
const unlike = (id: string): string =>
  id.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (last) =>
    /\d/.test(last) ? String((Number(last) + 5) % 10) : last === "a" ? "b" : "a",
  );

/** Error messages for which the response does not name an invalid field. */
const unplaced = new Set(["Only addresses of type ipv4 are currently supported."]);

/** Requests fail with 400 if a field of the body is invalid. The error response names the field. */
export function bodies(operation: Operation, ready: () => Ready): void {
  const { body, method } = operation;
  if (body && contentTypeOf(body)) {
    test("400 for invalid bytes, 415 for another content type", async () => {
      const { account, input } = ready();
      const bytes = new TextEncoder().encode("something else");
      expect((await request(account, operation, { ...input, body: bytes })).status).toBe(400);
      const headers = { "content-type": "application/json" };
      expect((await request(account, operation, { ...input, body: bytes }, { headers })).status).toBe(415);
    });
    return;
  }
  if (!body) {
    if (method !== "GET")
      test("400 for a body if the operation has none", async () => {
        const { account, input } = ready();
        const rejected = await request(account, operation, { ...input, body: { nonsense: 1 } });
        expect([rejected.status, fieldsIn(rejected)]).toEqual([400, ["nonsense"]]);
      });
    return;
  }
  if (method === "PUT")
    test("400 for an update without a body", async () => {
      const { account, input } = ready();
      const rejected = await request(account, operation, { ...input, body: undefined });
      expect([rejected.status, rejected.body.errors[0]]).toEqual([
        400,
        { reason: "The body is missing: send a JSON object with the fields to change" },
      ]);
    });
  test("400 for each field of the body that is missing, invalid or unknown", async () => {
    const { account, input } = ready();
    // Two kinds of values are valid and therefore not tried: null in an optional field, which means that the field is
    // omitted, and an empty string in some fields.
    const empty = takenEmpty[`${method} ${operation.path}`] ?? [];
    const bad = badBodies(body, input.body).filter(
      ({ field, value, schema }) =>
        (value !== null || (schema !== undefined && isRequired(schema))) && !(value === "" && empty.includes(field)),
    );
    expect(bad.length).toBeGreaterThan(Object.keys(fieldsOf(body)).length);
    for (const { what, field, body } of bad) {
      const rejected = await request(account, operation, { ...input, body });
      expect([what, rejected.status]).toEqual([what, 400]);
      if (!unplaced.has(rejected.body.errors[0].reason)) expect(fieldsIn(rejected), what).toContain(field);
    }
  });
}

/** Requests fail with 400 if a query parameter of the operation is invalid. */
export function queries(operation: Operation, ready: () => Ready): void {
  if (Object.keys(fieldsOf(queryOf(operation))).length === 0) return;
  test("400 for each invalid query parameter", async () => {
    const { account, input } = ready();
    const requested = async (query: object): Promise<void> => {
      const rejected = await request(account, operation, { ...input, query: { ...input.query, ...query } });
      expect([query, rejected.status]).toEqual([query, 400]);
      expect(fieldsIn(rejected)).toContain(Object.keys(query)[0]);
    };
    for (const [name, schema] of Object.entries(fieldsOf(queryOf(operation)))) {
      const { type } = layersOf(schema).inner._zod.def;
      // A query contains only texts, so lists, objects and booleans are not tried. The number 7 is not tried either,
      // because it can be a valid value.
      const texts = badValues(schema).filter(
        (value) => typeof value !== "object" && typeof value !== "boolean" && value !== 7,
      );
      for (const value of texts) if (type !== "string" || typeof value === "string") await requested({ [name]: value });
    }
  });
}

/**
 * Lists can be filtered and sorted by the fields that the contract marks as filterable, and by no others. All lists can
 * be sorted by `id`.
 */
export function filters(operation: Operation, ready: () => Ready): void {
  const entry = entryOf(operation);
  if (!entry) return;
  const fit = new Set(filterableFields(entry).keys());
  const unfit = Object.keys(fieldsOf(entry)).filter((name) => !fit.has(name));
  test(`X-Filter accepts only ${[...fit].join(", ") || "no fields"}`, async () => {
    const { account, input } = ready();
    const filtered = (filter: object) => request(account, operation, input, { filter });
    for (const name of fit)
      for (const filter of [{ [name]: "x" }, { "+order_by": name, "+order": "desc" }])
        expect([filter, (await filtered(filter)).status]).toEqual([filter, 200]);
    for (const name of [...unfit, "nonsense"])
      for (const filter of [{ [name]: "x" }, ...(name === "id" ? [] : [{ "+order_by": name }])]) {
        const rejected = await filtered(filter);
        expect([filter, rejected.status]).toEqual([filter, 400]);
        expect(rejected.body.errors[0]).toEqual({ field: "X-Filter", reason: `Cannot filter on ${name}` });
      }
  });
}

const template = ({ path, beta }: Operation): string => `${beta ?? false} ${path.replace(/\{\w+\}/g, "{}")}`;

/** Methods that a path does not support fail with 405. The header `Allow` contains the supported ones. */
export function methods(operation: Operation, ready: () => Ready): void {
  const has = allOperations
    .filter((other) => template(other) === template(operation))
    .map(({ method }) => method as string);
  const lacks = ["GET", "POST", "PUT", "DELETE", "PATCH"].filter((method) => !has.includes(method));
  test(`405 for ${lacks.join(", ")}`, async () => {
    const { account, input } = ready();
    for (const method of lacks) {
      const rejected = await request(account, operation, { ...input, body: undefined }, { method });
      expect([method, rejected.status]).toEqual([method, 405]);
      expect(rejected.headers.get("allow")?.split(", ").sort()).toEqual([...has].sort());
    }
  });
}

/** Beta operations exist only under /v4beta, and all others under both versions. */
export function versions(operation: Operation, ready: () => Ready): void {
  const other = versionOf(operation) === "v4" ? "v4beta" : "v4";
  test(`${operation.beta ? "404" : "the same"} under /${other}`, async () => {
    const { account, input } = ready();
    // The unknown token always causes an error, so the account is unchanged when the valid request follows.
    const response = await request(account, operation, input, { version: other, token: "unknown" });
    expect(response.status).toBe(operation.beta ? 404 : 401);
  });
}
