import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exitCodeOfError } from "../../../account/errors";
import { AuthenticationError, detectDrift, exitCodeOf } from "../../../drift";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { ApiError, UnreachableError } from "../../../provider/client/errors";
import { AnotherAccountError } from "../../../provider/pulumi/account";
import { stateOfAll } from "../drift/large-state";

let emulator: Emulator;
let state: Awaited<ReturnType<typeof stateOfAll>>;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  const { api, close } = connect(emulator);
  const { id: domainId } = await api.domains.create({
    body: { domain: "example.com", type: "master", soa_email: "a@example.com" },
  });
  for (let i = 0; i < 100; i++) {
    await api.instances.create({ body: { region: "us-east", type: "g6-nanode-1", label: `web-${i}` } });
    await api.volumes.create({ body: { region: "us-east", label: `data-${i}` } });
    await api.domainRecords.create({ path: { domainId }, body: { type: "A", name: `w${i}`, target: "192.0.2.1" } });
  }
  await close();
  state = await stateOfAll(emulator);
});

beforeEach(() => {
  emulator.faults.clear();
  emulator.requests.clear();
});

afterAll(() => emulator.close());

const check = (token = emulator.token) => detectDrift({ states: [state], url: emulator.url, token });

const operations = () => emulator.requests.list().map(({ operation }) => operation);

test("collections are read by pages: 301 objects take 7 requests, all of them GET", async () => {
  const report = await check();
  expect(report).toMatchObject({ findings: [], unread: [], coverage: { resources: 301, checked: 301 } });
  expect(operations().sort()).toEqual([
    "domainRecords.list",
    "domainRecords.view",
    "domains.view",
    "instances.list",
    "instances.view",
    "volumes.list",
    "volumes.view",
  ]);
  expect(emulator.requests.list().every(({ method }) => method === "GET")).toBe(true);
});

test("a rejected token ends the check with advice", async () => {
  await expect(check("wrong")).rejects.toThrow(AuthenticationError);
  await expect(check("wrong")).rejects.toThrow(
    /the API rejected the token \(401 in \w+\.view\)\. Set CLOUDINFRA_TOKEN to a valid token; read-only access is enough/,
  );
});

test("a token that is revoked during the check ends it too", async () => {
  emulator.faults.add({ kind: "status", status: 401, nth: 5, times: 1000 });
  await expect(check()).rejects.toThrow("the API rejected the token (401 in ");
});

test("reports the missing scope for a kind that the token may not read, and checks all others", async () => {
  const limited = "instances-and-domains";
  await scoped(limited, ["computes:read_only", "domains:read_only"]);
  emulator.requests.clear();
  const report = await check(limited);
  expect(report.unread).toMatchObject([
    {
      kind: "Volume",
      reason: expect.stringMatching(
        /^volumes\.\w+: 403 .*: it needs volumes:read_only \(the token has computes:read_only domains:read_only\)$/,
      ),
    },
  ]);
  expect(report.unread[0]?.resources).toHaveLength(100);
  expect(report.coverage).toMatchObject({ resources: 301, checked: 201 });
  expect(exitCodeOf(report)).toBe(3);
  expect(operations().filter((name) => name?.startsWith("volumes.")).length).toBeLessThan(5);
});

test("a rate limit delays the check without changing its result", async () => {
  emulator.faults.add({ path: "*", kind: "status", status: 429, retryAfter: 1, times: 2 });
  expect(await check()).toMatchObject({ findings: [], unread: [], coverage: { checked: 301 } });
});

test("without a token or an address, explains what to set", async () => {
  await expect(detectDrift({ states: [state], url: emulator.url, token: "" })).rejects.toThrow(
    "no token: set CLOUDINFRA_TOKEN, because a drift check does not use a token of the stack; read-only access is enough",
  );
  await expect(detectDrift({ states: [state], url: "", token: "x" })).rejects.toThrow(
    "no API address: set CLOUDINFRA_URL, because the state does not contain one",
  );
});

test("does not change the state", async () => {
  const before = JSON.stringify(state);
  await check();
  expect(JSON.stringify(state)).toBe(before);
});

describe("an object that was deleted with a containing object", () => {
  test("is part of one finding", async () => {
    const { api, close } = connect(emulator);
    const [domain] = (await api.domains.list()).data;
    await api.domains.delete({ path: { domainId: domain?.id ?? 0 } });
    await close();
    const { findings } = await check();
    expect(findings).toMatchObject([
      { type: "deleted", kind: "Domain", title: `Domain "example.com" (${domain?.id})` },
    ]);
    expect(findings[0]?.children).toHaveLength(100);
  });

  test("is reported for each stack that manages it", async () => {
    const other = { name: "other", state: JSON.parse(JSON.stringify(state.state).replaceAll(":dev::", ":test::")) };
    const report = await detectDrift({ states: [state, other], url: emulator.url, token: emulator.token });
    expect(report.findings.map(({ kind, address }) => `${kind} in ${address.split("/")[1]}`)).toEqual([
      "Domain in dev",
      "Domain in test",
    ]);
    for (const { address, children = [] } of report.findings) {
      expect(children).toHaveLength(100);
      expect(new Set(children.map((child) => child.split("/")[1]))).toEqual(new Set([address.split("/")[1]]));
    }
    expect(exitCodeOf(report)).toBe(2);
  });
});

async function scoped(token: string, scopes: readonly string[]): Promise<void> {
  const response = await fetch(new URL("/_emulator/tokens", emulator.url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, scopes }),
  });
  expect(response.status).toBe(200);
}

test("another address that does not respond, or that rejects the token, has the exit code of such an account", () => {
  const at = { id: "63b09d26", address: "https://api.example.com/v4" };
  const elsewhere = (failure?: Error) =>
    exitCodeOfError(new AnotherAccountError(at, { address: "http://127.0.0.1:1/v4", ...(failure && { failure }) }));
  expect(elsewhere(new UnreachableError("account.view", "http://127.0.0.1:1/v4", "ECONNREFUSED", undefined))).toBe(5);
  expect(elsewhere(new ApiError("account.view", 401, [{ reason: "Invalid Token" }]))).toBe(4);
  expect(elsewhere()).toBe(1);
});
