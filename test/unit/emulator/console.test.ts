import { once } from "node:events";
import { rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { describe, expect, vi, test as vitest } from "vitest";
import { operations } from "../../../api";
import type { Hello, RequestSummary } from "../../../emulator/console/feed";
import type { ConsoleObject } from "../../../emulator/console/kinds";
import { affectedBy, objectsOf } from "../../../emulator/console/objects";
import { ErrorResponse } from "../../../emulator/core/error-response";
import { digest } from "../../../emulator/core/users";
import { RequestLog } from "../../../emulator/http/request-log";
import { committed } from "../../../emulator/http/server";
import { openService } from "../../../emulator/service";
import { type Cloud, cloud } from "../../contract/cloud";
import { backend, balancer } from "../../contract/load-balancers/balancer";
import { fresh } from "../../fresh";
import { newFile } from "./data-files";

const test = vitest.extend("one", fresh(cloud));

const get = async ({ url }: Cloud, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
  const { port, hostname } = new URL(url);
  const sent = request({ port, host: hostname, path, headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
};

const text = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** The messages of a stream, as they arrive. */
async function stream(one: Cloud) {
  const response = await get(one, "/_emulator/console/stream");
  const lines = createInterface(response)[Symbol.asyncIterator]();
  const next = async (event: string): Promise<unknown> => {
    let name = "";
    while (true) {
      const { value = "", done } = await lines.next();
      if (done) throw new Error(`the stream ended before ${event}`);
      if (value.startsWith("event: ")) name = value.slice("event: ".length);
      if (value.startsWith("data: ") && name === event) return JSON.parse(value.slice("data: ".length));
    }
  };
  return { response, next, [Symbol.asyncDispose]: async () => void response.destroy() };
}

interface Changes {
  put: ConsoleObject[];
  removed: string[];
}

const volume = (label: string) => ({ body: { label, region: "us-east", size: 20 } });

describe("the stream of the console", () => {
  test("begins with the account, and continues with each change", async ({ one }) => {
    const { body: first } = await one.send("POST /volumes", volume("first"));
    await using events = await stream(one);
    const hello = (await events.next("hello")) as Hello;
    expect(hello.objects).toMatchObject([{ kind: "Volume", id: String(first.id), name: "first", region: "us-east" }]);
    const { body: second } = await one.send("POST /volumes", volume("second"));
    const added = (await events.next("objects")) as Changes;
    expect(added.put).toMatchObject([{ kind: "Volume", id: String(second.id), note: "20 GB", state: "creating" }]);
    one.settle();
    expect(((await events.next("objects")) as Changes).put).toMatchObject([
      { name: "first", state: "active" },
      { name: "second", state: "active" },
    ]);
    await one.send(`DELETE /volumes/${second.id}`);
    expect(await events.next("objects")).toEqual({ put: [], removed: [`Volume/${second.id}`] });
  });

  test("reports a request when it arrives or ends, with its duration, token and fault, and without secrets", async ({
    one,
  }) => {
    await using events = await stream(one);
    await events.next("hello");
    one.faults.add({ path: "volumes.list", kind: "status", status: 503 });
    const { body } = await one.send("POST /_emulator/tokens", { body: { label: "ci", scopes: ["volumes:read_only"] } });
    await one.send("GET /volumes?token=planted", { token: body.token });
    let last: RequestSummary | undefined;
    while (last?.ms == null) last = ((await events.next("requests")) as RequestSummary[]).at(-1);
    expect(last).toMatchObject({ operation: "volumes.list", status: 503, fault: "status", token: "ci" });
    expect(JSON.stringify(last)).not.toContain("planted");
    await one.send("GET /volumes", { token: body.token });
    do last = ((await events.next("requests")) as RequestSummary[]).at(-1);
    while (last?.ms == null);
    expect(last).toMatchObject({ status: 200, fault: null, token: "ci", username: "emulator" });
  });

  test("sends the clock, faults, users and tokens when they change, but never a token", async ({ one }) => {
    await using events = await stream(one);
    const { state } = (await events.next("hello")) as Hello;
    expect(state).toMatchObject({ faults: [], tokens: [{ label: "emulator", scopes: "*" }], jobs: 0 });
    await one.send("POST /_emulator/faults", { body: { kind: "busy", path: "volumes.*" } });
    expect(await events.next("state")).toMatchObject({ faults: [{ kind: "busy", path: "volumes.*", hits: 0 }] });
    await one.send("POST /_emulator/tokens", { body: { token: "planted-token", label: "ci" } });
    const { tokens } = (await events.next("state")) as Hello["state"];
    expect(tokens.map(({ label }) => label)).toEqual(["emulator", "ci"]);
    expect(JSON.stringify(tokens)).not.toContain("planted");
    await one.send("POST /_emulator/clock", { body: { seconds: 60 } });
    expect(await events.next("state")).not.toMatchObject({ clock: state.clock });
  });

  test("sends the first 100 users and tokens, and the number of all", async ({ one }) => {
    for (let i = 1; i <= 101; i++) one.world.users.insert({ ...one.world.users.get("emulator"), id: `user-${i}` });
    await using events = await stream(one);
    const { state } = (await events.next("hello")) as Hello;
    expect([state.users.length, state.totals]).toEqual([100, { users: 102, tokens: 1 }]);
  });

  vitest("begins with the dialect, and with the token only if it is the default one", async () => {
    const connections: unknown[] = [];
    for (const options of [{}, { token: "a-token-of-my-own", dialect: "linode" as const }]) {
      await using one = await cloud(options);
      await using events = await stream(one);
      const hello = (await events.next("hello")) as Hello;
      expect(JSON.stringify(hello)).not.toContain("a-token-of-my-own");
      connections.push(hello.connection);
    }
    expect(connections).toEqual([
      { token: "emulator", dialect: null },
      { token: null, dialect: "linode" },
    ]);
  });

  test("does not send requests again that were cleared, and starts with their numbers again", async ({ one }) => {
    await using events = await stream(one);
    await events.next("hello");
    await one.send("GET /volumes");
    await one.send("DELETE /_emulator/requests");
    const { clears } = (await events.next("state")) as Hello["state"];
    expect(clears).toBe(1);
    await one.send("GET /regions");
    const sent = (await events.next("requests")) as RequestSummary[];
    expect(sent.map(({ n, operation }) => [n, operation])).toEqual([[1, "regions.list"]]);
  });

  vitest("sends an id that differs between processes, also if they have the same seed", async () => {
    const runs: string[] = [];
    for (let process = 1; process <= 2; process++) {
      await using one = await cloud({ seed: 1 });
      for (let connection = 1; connection <= 2; connection++) {
        await using events = await stream(one);
        runs.push(((await events.next("hello")) as Hello).state.run);
      }
    }
    const [first, firstAgain, second, secondAgain] = runs;
    expect([firstAgain, secondAgain]).toEqual([first, second]);
    expect(second).not.toBe(first);
  });

  vitest("shows the end of a job without another request", async () => {
    await using one = await cloud({ pace: "fast" });
    await using events = await stream(one);
    await events.next("hello");
    await one.send("POST /volumes", volume("data"));
    expect(((await events.next("objects")) as Changes).put).toMatchObject([{ state: "creating" }]);
    expect(((await events.next("objects")) as Changes).put).toMatchObject([{ state: "active" }]);
  });

  vitest("shows the end of a job that cannot be written to the data file, and does not repeat it", async () => {
    const data = newFile();
    const one = await cloud({ pace: "fast", data });
    await using events = await stream(one);
    await events.next("hello");
    await one.send("POST /volumes", volume("data"));
    expect(((await events.next("objects")) as Changes).put).toMatchObject([{ state: "creating" }]);
    const runs = vi.spyOn(one.world.schedule, "runDue");
    rmSync(data);
    expect(((await events.next("objects")) as Changes).put).toMatchObject([{ state: "active" }]);
    await setTimeout(100);
    expect(runs.mock.calls.length).toBeLessThan(3);
    await expect(one.close()).rejects.toThrow("while the emulator was using it");
  });

  test("sends the status of a backend when the clock jumps over its health checks, and only if it differs", async ({
    one,
  }) => {
    const { ip } = await backend(one);
    const nodes = [{ label: "web", address: `${ip}:80` }];
    await balancer(one, { configs: [{ port: 80, check: "connection", nodes }] });
    const [node] = one.world.nodeBalancerNodes.all();
    await using events = await stream(one);
    const hello = (await events.next("hello")) as Hello;
    const isBackend = ({ kind }: ConsoleObject): boolean => kind === "NodeBalancerNode";
    expect(hello.objects.filter(isBackend)).toMatchObject([{ state: "unknown" }]);
    await one.send("POST /_emulator/clock", { body: { seconds: 3600 } });
    expect(((await events.next("objects")) as Changes).put).toMatchObject([{ id: String(node?.id), state: "UP" }]);
    await one.send("POST /_emulator/clock", { body: { seconds: 3600 } });
    await one.send("POST /volumes", volume("data"));
    expect(((await events.next("objects")) as Changes).put).toMatchObject([{ name: "data" }]);
  });

  test("observes the account only while a console is open", async ({ one }) => {
    const events = await stream(one);
    await events.next("hello");
    expect([one.world.watchers.size, one.requests.watchers.size]).toEqual([1, 1]);
    events.response.destroy();
    await expect.poll(() => [one.world.watchers.size, one.requests.watchers.size]).toEqual([0, 0]);
  });
});

describe("the objects of the console", () => {
  vitest("are those of the account, attached to each other", async () => {
    await using one = await cloud({ account: "small" });
    const objects = objectsOf(one.world);
    const keyOf = (kind: string, name: string): string => {
      const found = objects.find((object) => object.kind === kind && object.name === name);
      return `${kind}/${found?.id}`;
    };
    const attached = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.name === name)?.on;
    const web = keyOf("Instance", "web");
    expect(attached("Volume", "data")).toEqual([web]);
    expect(attached("Firewall", "web")).toEqual([web]);
    expect(attached("NodeBalancerNode", "web")).toEqual([keyOf("NodeBalancer", "front"), web]);
    expect(attached("LkePool", "3 × g6-standard-1")).toEqual([keyOf("LkeCluster", "apps")]);
    expect(attached("DomainRecord", "MX @")).toEqual([keyOf("Domain", "example.org")]);
    expect(objects.filter(({ kind }) => kind === "Image")).toMatchObject([{ name: "golden" }]);
    expect(objects.find(({ kind }) => kind === "ObjectStorageBucket")).toMatchObject({ region: "us-east" });
  });

  vitest("contain no secret, also not in their details", async () => {
    await using one = await cloud({ account: "small" });
    const texts: string[] = [JSON.stringify(objectsOf(one.world))];
    for (const { kind, id } of objectsOf(one.world)) {
      const key = encodeURIComponent(`${kind}/${id}`);
      const { status, body } = await one.send(`GET /_emulator/console/object?key=${key}`);
      expect([kind, status]).toEqual([kind, 200]);
      texts.push(JSON.stringify(body));
    }
    const rows = [...one.world.lkeClusters.all(), ...one.world.objectStorageKeys.all()];
    const secrets = [
      "Correct-Horse-42",
      ...rows.flatMap((row) => ("token" in row ? [row.token, row.authority] : [row.sealed])),
      ...one.world.oauthClients.all().map(({ secret_digest }) => secret_digest),
      ...one.world.managedCredentials.all().map(({ password }) => password),
    ];
    expect(secrets.length).toBeGreaterThan(4);
    for (const secret of secrets) expect(texts.join()).not.toContain(secret);
  });

  vitest("have the command that views each of them", async () => {
    await using one = await cloud({ account: "small" });
    const [bucket] = one.world.objectStorageBuckets.all();
    const { body } = await one.send(`GET /_emulator/console/object?key=ObjectStorageBucket/${bucket?.id}`);
    expect(body.commands.cli).toBe("npx cloudinfra api object-storage-buckets view us-east-1 assets");
    const [pool] = one.world.lkePools.all();
    const details = await one.send(`GET /_emulator/console/object?key=LkePool/${pool?.id}`);
    expect(details.body.commands.cli).toBe(`npx cloudinfra api lke-pools view ${pool?.cluster_id} ${pool?.id}`);
    expect(details.body.commands.curl).toContain(`/v4/lke/clusters/${pool?.cluster_id}/pools/${pool?.id}`);
  });

  vitest("have a curl command with the path of the emulator's dialect", async () => {
    await using one = await cloud({ dialect: "linode" });
    const { body } = await one.send("POST /linode/instances", { body: { region: "us-east", type: "g6-nanode-1" } });
    const { body: details } = await one.send(`GET /_emulator/console/object?key=Instance/${body.id}`);
    expect(details.commands.curl).toContain(`/v4/linode/instances/${body.id}`);
    expect(details.commands.cli).toBe(`npx cloudinfra api instances view ${body.id}`);
  });

  vitest("are drawn again if an attached row changes", async () => {
    await using one = await cloud({ account: "small" });
    const [device] = one.world.firewallDevices.all();
    expect(affectedBy(one.world, "firewallDevices", device?.id ?? 0, undefined)).toEqual([
      `Firewall/${device?.firewall_id}`,
    ]);
    one.world.firewallDevices.remove(device?.id ?? 0);
    expect(affectedBy(one.world, "firewallDevices", device?.id ?? 0, device)).toEqual([
      `Firewall/${device?.firewall_id}`,
    ]);
    expect(affectedBy(one.world, "timers", 1, undefined)).toEqual([]);
  });
});

test("details of a request contain its body without secrets, and the commands that send it again", async ({ one }) => {
  const body = {
    label: "web",
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian11",
    root_pass: "Planted-42!",
  };
  await one.send("POST /compute/instances", { body });
  const { body: details } = await one.send("GET /_emulator/console/request?n=1");
  expect(details.request.body).toEqual({ ...body, root_pass: "[secret]" });
  expect(details.commands.cli).toBe(
    "npx cloudinfra api instances create --label web --region us-east --type g6-nanode-1 --image compute/debian11 --root-pass '[secret]'",
  );
  expect(JSON.stringify(details)).not.toMatch(/Planted|Bearer emulator/);
  await one.send("POST /volumes", { body: { label: "data", region: "atlantis" } });
  const { body: failed } = await one.send("GET /_emulator/console/request?n=2");
  expect(failed.request).toMatchObject({ status: 400, errors: [{ field: "region" }] });
  expect((await one.send("GET /_emulator/console/request?n=3")).status).toBe(404);
  expect((await one.send("GET /_emulator/console/object?key=Volume/1")).status).toBe(404);
});

test("a request whose body is not in the log has no commands, with the reason", async ({ one }) => {
  const created = await one.send("POST /account/oauth-clients", {
    body: { label: "app", redirect_uri: "https://example.org" },
  });
  const image = Buffer.from("89504e470d0a1a0a", "hex");
  await one.send(`PUT /account/oauth-clients/${created.body.id}/thumbnail`, {
    body: image,
    headers: { "content-type": "image/png" },
  });
  const { body } = await one.send("GET /_emulator/console/request?n=2");
  expect(body).toMatchObject({ request: { body: "[8 bytes]" }, commands: null });
  expect(body.problem).toMatch(/^No command can send this request again/);
});

describe("the log of requests", () => {
  const created = { ...volume("data").body, root_pass: "Planted-42!" };
  const logged = { ...created, root_pass: "[secret]" };

  test.for(["status", "busy", "cut-before", "stall-before", "html"] as const)(
    "has the token and the body of a request with the fault %s, without secrets",
    async (kind, { one }) => {
      one.faults.add({ path: "volumes.create", kind });
      await one.send("POST /volumes", { body: created, signal: AbortSignal.timeout(200) }).catch(() => undefined);
      expect(one.requests.list()).toMatchObject([
        { token: "emulator", username: "emulator", body: logged, fault: kind },
      ]);
      expect(JSON.stringify(one.requests.list())).not.toContain("Planted");
    },
  );

  vitest("has the token and the body of a request that exceeds the rate limit", async () => {
    const { router, requests } = await openService({ rateLimits: true, pace: "stepped" });
    for (let i = 0; i < 1600; i++) router.limits.take(digest("emulator"), operations.volumes.create);
    const headers = { authorization: "Bearer emulator", "content-type": "application/json" };
    const body = Buffer.from(JSON.stringify(created));
    await router.handle({ method: "POST", url: "/v4/volumes", headers, body, address: "" });
    expect(requests.list()).toMatchObject([{ status: 429, token: "emulator", body: logged }]);
  });

  test("has the token and the body of a request without the scopes, and the label of an expired token", async ({
    one,
  }) => {
    const scopes = ["volumes:read_only"];
    const token = { label: "ci", scopes, expires_in: 60 };
    const { body } = await one.send("POST /_emulator/tokens", { body: token });
    await one.send("POST /volumes", { ...volume("data"), token: body.token });
    one.advance(120_000);
    await one.send("POST /volumes", { ...volume("data"), token: body.token });
    await one.send("POST /volumes", { ...volume("data"), token: "unknown" });
    expect(one.requests.list()).toMatchObject([
      { status: 403, token: "ci", body: volume("data").body },
      { status: 401, token: "ci", body: volume("data").body },
      { status: 401, token: null, body: volume("data").body },
    ]);
  });

  test("has the size of a rejected body that is invalid or larger than 64 KB", async ({ one }) => {
    await one.send("POST /volumes", { body: "no JSON" });
    one.faults.add({ kind: "status" });
    await one.send("POST /volumes", volume("a".repeat(65_536)));
    expect(one.requests.list().map(({ body }) => body)).toEqual(["[7 bytes]", "[65577 bytes]"]);
  });

  test("has the end, the errors and the fault of an upload", async ({ one }) => {
    const { body } = await one.send("POST /images/upload", { body: { label: "base", region: "us-east" } });
    one.requests.clear();
    const headers = { "content-type": "application/octet-stream" };
    const upload = () => fetch(body.upload_to, { method: "PUT", headers, body: "no gzip" }).catch(() => undefined);
    await upload();
    for (const kind of ["status", "cut-before"] as const) {
      one.faults.add({ path: "/**", kind });
      await upload();
    }
    const log = one.requests.list();
    expect(log).toMatchObject([
      { status: 400, fault: null, errors: [{ reason: expect.stringContaining("not a complete gzip file") }] },
      { status: 500, fault: "status", errors: [{ reason: "Injected by a fault: 500" }] },
      { status: null, fault: "cut-before" },
    ]);
    await expect.poll(() => log.map((entry) => one.requests.timesOf(entry).ms)).not.toContain(null);
  });

  test("has the end of an upload that its client has interrupted", async ({ one }) => {
    const { body } = await one.send("POST /images/upload", { body: { label: "base", region: "us-east" } });
    one.requests.clear();
    const headers = { "content-type": "application/octet-stream", "content-length": 1000 };
    const sending = request(body.upload_to, { method: "PUT", headers });
    sending.on("error", () => undefined);
    sending.write("part", () => sending.destroy());
    const durations = () => one.requests.list().map((entry) => one.requests.timesOf(entry).ms);
    await expect.poll(durations).toEqual([expect.any(Number)]);
  });

  vitest("has the status 500 and the reason of a request whose changes cannot be written", async () => {
    const log = new RequestLog();
    const logged = log.begin(
      { method: "POST", path: "/v4/volumes", query: new URLSearchParams(), headers: {} },
      undefined,
    );
    logged.status = 200;
    const commit = (): void => {
      throw new ErrorResponse(500, "The data file cannot be written: disk full");
    };
    const controlled = { commit, undone: () => 0 };
    const out = await committed(controlled, "POST", async () => ({ status: 200, headers: {}, body: "{}", logged }));
    expect(out).toMatchObject({ status: 500, logged });
    expect(logged).toMatchObject({ status: 500, errors: [{ reason: "The data file cannot be written: disk full" }] });
  });
});

describe("the page of the console", () => {
  test("loads only its own files, and runs no inline script", async ({ one }) => {
    const page = await get(one, "/_emulator/");
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    const html = await text(page);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    for (const [, file = ""] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      if (file !== "data:,") expect((await get(one, `/_emulator/${file}`)).statusCode).toBe(200);
    expect((await get(one, "/_emulator")).headers.location).toBe("/_emulator/");
  });

  test("may control the emulator; pages of other origins may not", async ({ one }) => {
    const { host, port } = new URL(one.url);
    const status = async (headers: Record<string, string>, path = "/_emulator/clock") => {
      const response = await get(one, path, headers);
      response.destroy();
      return response.statusCode;
    };
    expect(await status({ origin: `http://${host}` })).toBe(200);
    expect(await status({ origin: `http://${host}`, "sec-fetch-site": "same-origin" })).toBe(200);
    for (const origin of ["http://evil.example", `http://localhost:${port}`, `https://${host}`, "null"])
      expect(await status({ origin })).toBe(403);
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": "no-cors" };
      expect(await status(headers)).toBe(403);
      expect(await status(headers, "/_emulator/console/stream")).toBe(403);
      expect(await status({ ...headers, "sec-fetch-mode": "navigate" }, "/_emulator/")).toBe(200);
    }
    expect(await status({ host: "evil.example", origin: "http://evil.example" })).toBe(403);
  });
});
