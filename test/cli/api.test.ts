import { readFile, writeFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { png } from "../contract/png";
import { listening } from "../listening";
import { apiCommands } from "./api-commands";
import { onTerminal } from "./command";

const { emulator, env, file, call, response, rejected } = apiCommands();

describe("calls", () => {
  test("create, list, view, update and delete", async () => {
    const volume = await response("volumes create --label data --region us-east --size 30 --tags prod --tags blue");
    expect(volume).toMatchObject({ label: "data", size: 30, tags: ["prod", "blue"] });
    const id = String(volume.id);
    expect(await response(`volumes view ${id}`)).toMatchObject({ label: "data" });
    expect(await response(`volumes update --volume-id ${id} --tags []`)).toMatchObject({ tags: [] });
    expect(await response("volumes list --filter label=data --json")).toMatchObject({ results: 1, page: 1 });
    expect(await response("volumes list --filter label!=data")).toMatchObject({ results: 0 });
    expect(await response(`volumes delete ${id}`)).toEqual({});
    expect(await rejected(`volumes view ${id}`)).toEqual({
      code: 1,
      stderr: `cloudinfra: volumes.view: 404 Not found (volume ${id})\n`,
    });
  });

  test("accepts nested fields as dotted flags or JSON, lists as repeated flags or JSON, and --no- flags", async () => {
    const rules = '{"action":"ACCEPT","protocol":"TCP","ports":"22","addresses":{"ipv4":["198.51.100.0/24"]}}';
    const firewall = await response(
      "firewalls create --label wall --rules.inbound-policy DROP --rules.outbound-policy ACCEPT",
      ["--rules.outbound", "[]", "--rules.inbound", rules, "--rules.inbound", rules.replace("22", "443")],
    );
    expect(firewall.rules).toMatchObject({ inbound_policy: "DROP", inbound: [{ ports: "22" }, { ports: "443" }] });

    const secret = "Correct-Horse-42";
    const instance = await response(
      `instances create --region us-east --type g6-nanode-1 --image compute/debian11 --root-pass ${secret} --no-booted`,
    );
    emulator().settle();
    expect(await response(`instances view ${instance.id}`)).toMatchObject({ status: "offline" });
    const alerts = await response(`instances update ${instance.id} --alerts.cpu 50 --no-watchdog-enabled`, [
      "--alerts",
      '{"io":7}',
      "--alerts.network-in",
      "9",
    ]);
    expect(alerts).toMatchObject({ watchdog_enabled: false, alerts: { io: 7, network_in: 9 } });
  });

  test("reads the body from a file or the standard input, as JSON or YAML; flags take precedence", async () => {
    const path = file("volume.json");
    await writeFile(path, JSON.stringify({ label: "file", region: "us-east", size: 10, tags: ["web"] }));
    expect(await response("volumes create --size 11", ["--file", path])).toMatchObject({
      label: "file",
      size: 11,
      tags: ["web"],
    });
    const yaml = "label: yaml\nregion: us-east\ntags: [prod]\n";
    expect(await response("volumes create --file -", ["--tags", "blue"], yaml)).toMatchObject({
      label: "yaml",
      tags: ["blue"],
    });
  });

  test("--all reads every page, and prints the same format as one page", async () => {
    for (let i = 0; i < 30; i++) await created({ label: `v${i}`, region: "us-east" });
    const first = await response("volumes list --page-size 25");
    expect([first.data.length, first.pages, first.results]).toEqual([25, 2, 30]);
    const every = await response("volumes list --page-size 25 --all --order-by label --desc");
    expect([every.data.length, every.pages, every.results]).toEqual([30, 1, 30]);
    expect(every.data[0].label).toBe("v9");
  });

  test("--all also has the entries that move to an earlier page, because another client deletes objects meanwhile", async () => {
    const volumes = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, label: `v${i + 1}` }));
    const seen: string[] = [];
    await using service = await listening((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
      const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("page_size"))];
      const data = volumes.slice((page - 1) * size, page * size);
      const pages = Math.ceil(volumes.length / size);
      seen.push(`${pathname}#${page} of ${pages}, ${request.headers["x-filter"]}`);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data, page, pages, results: volumes.length }));
      // The volumes 26 to 35 move to the first page.
      if (seen.length === 1) volumes.splice(0, 10);
    });
    const words = `volumes list --all --page-size 25 --order-by label --url ${service.url}/v4`;
    const { data, ...numbers } = await response(words);
    const ids = data.map(({ id }: { id: number }) => id);
    const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(ids).toEqual([...upTo(1, 25), ...upTo(36, 60), ...upTo(26, 35)]);
    expect(numbers).toEqual({ page: 1, pages: 1, results: 60 });
    const filter = '{"+order_by":"label"}';
    expect(seen).toEqual([
      `/v4/volumes#1 of 3, ${filter}`,
      `/v4/volumes#2 of 2, ${filter}`,
      `/v4/volumes#1 of 2, ${filter}`,
      `/v4/volumes#2 of 2, ${filter}`,
    ]);
  });

  test("--desc without --order-by orders by id", async () => {
    for (const label of ["first", "second"]) await created({ label, region: "us-east" });
    const { data } = await response("volumes list --desc");
    expect(data.map(({ label }: { label: string }) => label)).toEqual(["second", "first"]);
  });

  test("--output writes the response to a file", async () => {
    const path = file("out.json");
    const { code, stdout } = await call("regions list", ["--output", path]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(JSON.parse(await readFile(path, "utf8")).data.length).toBeGreaterThan(5);
  });

  test("--verbose shows requests and responses, without secrets", async () => {
    const words =
      "instances create --verbose --region us-east --type g6-nanode-1 --image compute/debian11 --root-pass Correct-Horse-42";
    const { code, stderr } = await call(words);
    expect(code).toBe(0);
    expect(stderr).toContain('instances.create > {"region":"us-east"');
    expect(stderr).toMatch(/instances\.create 200 \d+ ms/);
    for (const secret of ["Correct-Horse-42", `Bearer`]) expect(stderr).not.toContain(secret);
  });

  async function created(body: object): Promise<void> {
    const headers = { authorization: `Bearer ${emulator().token}`, "content-type": "application/json" };
    const { status } = await fetch(`${emulator().url}/volumes`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
  }
});

describe("on a terminal", () => {
  test("a list is a table that fits any terminal width", async () => {
    await response("volumes create --label data --region us-east --tags prod");
    emulator().settle();
    for (const columns of [50, 80, 160]) {
      const { stdout, code } = await onTerminal(["api", "volumes", "list"], env(), columns);
      const lines = stripVTControlCharacters(stdout).split("\n");
      expect(code).toBe(0);
      expect(lines[0]).toMatch(/^id +label +status +size +region/);
      expect(lines[1]).toMatch(/^\d+ +data +active +20 +us-east/);
      expect(lines.slice(2).filter(Boolean)).toEqual(["1 entry"]);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  test("shows a record as keys and values, an empty result as a check mark, and an empty list as a message", async () => {
    const { id } = await response("volumes create --label data --region us-east --tags prod --tags blue");
    const shown = async (...args: string[]) =>
      stripVTControlCharacters((await onTerminal(["api", ...args], env(), 90)).stdout);
    expect(await shown("volumes", "view", String(id))).toMatch(/^id +\d+\nlabel +data\n(.*\n)*tags +prod, blue\n/);
    expect(await shown("volumes", "delete", String(id))).toBe("✓ done\n");
    expect(await shown("volumes", "list")).toBe("No entries.\n");
    expect(JSON.parse(await shown("volumes", "list", "--json"))).toMatchObject({ results: 0 });
  });

  test("prints colors, unless NO_COLOR is set", async () => {
    const esc = "\u001b[";
    expect((await onTerminal(["api", "regions", "list"], env(), 80)).stdout).toContain(esc);
    expect((await onTerminal(["api", "regions", "list"], { ...env(), NO_COLOR: "1" }, 80)).stdout).not.toContain(esc);
  });

  test("text from the service cannot control the terminal", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J";
    const { id } = await response("domains create --domain example.org --type master --soa-email a@example.org", [
      "--description",
      `${evil}fine`,
    ]);
    const { stdout } = await onTerminal(["api", "domains", "view", String(id)], { ...env(), NO_COLOR: "1" }, 80);
    expect(stdout).toContain("fine");
    for (const char of ["\u001b", "\u0007"]) expect(stdout).not.toContain(char);
  });
});

test("sends bytes from --file, and writes bytes to --output or a pipe", async () => {
  const client = await response("oauth-clients create --label mine --redirect-uri https://example.org/back");
  const [picture, copy] = [file("in.png"), file("out.png")];
  await writeFile(picture, png(64, 48));
  expect(await response(`oauth-clients update-thumbnail ${client.id}`, ["--file", picture])).toEqual({});
  const { code, stdout } = await call(`oauth-clients view-thumbnail ${client.id}`, ["--output", copy]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(new Uint8Array(await readFile(copy))).toEqual(png(64, 48));
  expect((await rejected(`oauth-clients update-thumbnail ${client.id}`, ["--file", file("no.png")])).code).toBe(2);
});
