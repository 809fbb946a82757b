import { expect, test } from "vitest";
import { type Operation, pathNames, type Scope } from "../../../api";
import { restricted } from "../cloud";
import { allOperations, type Ready, request } from "./request";

/** Requests without a token and with an unknown token fail with 401, except for operations that require no token. */
export function tokens(operation: Operation, ready: () => Ready): void {
  const open = operation.scopes.length === 0 || operation.public;
  test(`401 ${open ? "" : "without a token, and "}with an unknown token`, async () => {
    const { account, input } = ready();
    expect((await request(account, operation, input, { token: "unknown" })).status).toBe(401);
    const without = await request(account, operation, input, { token: null });
    if (open) expect(without.status).not.toBe(401);
    else expect(without).toMatchObject({ status: 401, body: { errors: [{ reason: "Invalid Token" }] } });
  });
}

const allScopes = [...new Set(allOperations.flatMap(({ scopes }) => scopes))];

/**
 * Requests with a token that lacks only the required scope fail with 403. If the operation requires read_write, the
 * token has read_only.
 */
export function scopes(operation: Operation, ready: () => Ready): void {
  test.each(operation.scopes)("403 for a token without %s", async (scope) => {
    const { account, input } = ready();
    const [area, level] = scope.split(":");
    const readOnly = `${area}:read_only` as Scope;
    const others = allScopes.filter((other) => !other.startsWith(`${area}:`));
    const value = level === "read_write" ? [...others, readOnly] : others;
    const token = `without ${scope}`.replaceAll(" ", "-");
    await account.send("POST /_emulator/tokens", { body: { token, scopes: value } });
    const rejected = await request(account, operation, input, { token });
    expect(rejected.status).toBe(403);
    expect(rejected.body.errors[0].reason).toContain(scope);
  });
}

/** Path parameters of objects for which restricted users need a grant. */
const granted: Readonly<Record<string, string>> = {
  computeId: "compute",
  volumeId: "volume",
  domainId: "domain",
  nodeBalancerId: "nodebalancer",
  firewallId: "firewall",
  imageId: "image",
};
const kindOf = (name: string, { path }: Operation): string | undefined =>
  name === "clusterId" && path.startsWith("/lke/") ? "cluster" : granted[name];

/** Requests of a restricted user without a grant, or with a grant that allows only reading, fail with 403 or 404. */
export function grants(operation: Operation, ready: () => Ready): void {
  const { grant, method, path, scopes } = operation;
  // Restricted users need no grant for public objects, such as public images.
  const names = operation.public ? [] : pathNames(path).filter((name) => kindOf(name, operation));
  const ofAccount = scopes.some((scope) => scope.startsWith("account:"));
  const whole = grant === "unrestricted" || grant?.startsWith("add_") || (ofAccount && grant);
  if (scopes.length === 0 || (!whole && names.length === 0)) return;
  test("403 or 404 for a restricted user without a grant", async () => {
    const { account, input } = ready();
    const rejected = await request(account, operation, input, { token: await restricted(account) });
    expect(rejected.status).toBe(whole ? 403 : 404);
  });
  if (whole || method === "GET" || grant === "read_only") return;
  test("403 for a restricted user with a read-only grant", async () => {
    const { account, input } = ready();
    const entities = Object.fromEntries(
      names.map((name) => [kindOf(name, operation), { [String(input.path?.[name])]: "read_only" }]),
    );
    const rejected = await request(account, operation, input, { token: await restricted(account, { entities }) });
    expect(rejected.status).toBe(403);
  });
}
