import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Area, fieldsOf, kebab, operations } from "../../api";
import { api } from "../../cli/api";
import { flagsOf } from "../../cli/api/flags";
import { type Emulator, startEmulator } from "../../emulator";
import { inputFields } from "../../provider/client/flat-input";
import { png } from "../contract/png";
import { onTerminal, type Ran, run, start } from "./command";

let emulator: Emulator;
let place: string;
let env: Record<string, string>;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  place = await mkdtemp(join(tmpdir(), "api-"));
  env = { CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
});
beforeEach(() => emulator.reset());
afterAll(async () => {
  await emulator.close();
  await rm(place, { recursive: true, force: true });
});

const requests = (): number => Object.values(emulator.requests.counts()).reduce((sum, count) => sum + count, 0);

const call = (words: string, more: string[] = [], input = ""): Promise<Ran> =>
  run(["api", ...words.split(" ").filter(Boolean), ...more], { env, input });
const answer = async (words: string, more?: string[], input?: string) => {
  const { code, stdout, stderr } = await call(words, more, input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};
const refused = async (words: string, more?: string[], input?: string) => {
  const { code, stdout, stderr } = await call(words, more, input);
  expect(stdout).toBe("");
  return { code, stderr };
};

const all = Object.entries<Area>(operations).flatMap(([area, known]) =>
  Object.entries(known).map(([key, operation]) => ({ words: [kebab(area), kebab(key)], operation })),
);

describe("every operation is a command", () => {
  let printed = "";
  const help = async (words: string[]): Promise<string> => {
    printed = "";
    const write = process.stdout.write;
    process.stdout.write = (text: string | Uint8Array) => {
      printed += text;
      return true;
    };
    try {
      await api(words).catch((error) => expect(error).toMatchObject({ exitCode: 0 }));
    } finally {
      process.stdout.write = write;
    }
    return stripVTControlCharacters(printed);
  };

  test.each(all)("$words", async ({ words, operation }) => {
    const text = await help([...words, "--help"]);
    const flowed = text.replace(/\s+/g, " ");
    expect(flowed).toContain(operation.summary);
    expect(flowed).toContain(operation.source);
    for (const scope of operation.scopes) expect(text).toContain(scope);
    if (operation.grant) expect(text).toContain(operation.grant);
    for (const { name, schema } of flagsOf(operation)) {
      expect(text).toMatch(new RegExp(`--(\\[no-\\])?${name.replaceAll(".", "\\.")}( |$)`, "m"));
      for (const field of Object.keys(fieldsOf(schema))) expect(text).toContain(`${name}.${kebab(field)}`);
    }
    for (const [field, part] of inputFields(operation))
      if (part === "body" || part === "path" || part === "query")
        expect(text).toMatch(new RegExp(`--\\S*${kebab(field)}`));
    expect(await help([words[0] as string])).toContain(`  ${words[1]}`);
    expect(await help([])).toMatch(new RegExp(`^  ${words[0]} .*`, "m"));
    const names = flagsOf(operation).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("and prints its help by itself, too", async () => {
    const { code, stdout } = await run(["api", "volumes", "attach", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Attach a volume to an instance of its region\.\n\nUsage: cloudinfra api volumes attach <volume-id> \[flags\]\n/,
    );
    expect(stdout).toContain("scope  `volumes:read_write` and `computes:read_write`\n  grant  `read_only`");
    expect(stdout).toContain("POST /v4/volumes/{volumeId}/attach · part 1 · Endpoints · Volumes\n");
    expect(stdout).toContain("--[no-]persist-across-boots");
  });
});

describe("calls", () => {
  test("create, list, view, update and delete", async () => {
    const volume = await answer("volumes create --label data --region us-east --size 30 --tags prod --tags blue");
    expect(volume).toMatchObject({ label: "data", size: 30, tags: ["prod", "blue"] });
    const id = String(volume.id);
    expect(await answer(`volumes view ${id}`)).toMatchObject({ label: "data" });
    expect(await answer(`volumes update --volume-id ${id} --tags []`)).toMatchObject({ tags: [] });
    expect(await answer("volumes list --filter label=data --json")).toMatchObject({ results: 1, page: 1 });
    expect(await answer("volumes list --filter label!=data")).toMatchObject({ results: 0 });
    expect(await answer(`volumes delete ${id}`)).toEqual({});
    expect(await refused(`volumes view ${id}`)).toEqual({
      code: 1,
      stderr: `cloudinfra: volumes.view: 404 Not found (volume ${id})\n`,
    });
  });

  test("nested fields by dotted flags or JSON, lists by repetition or JSON, switches on and off", async () => {
    const rules = '{"action":"ACCEPT","protocol":"TCP","ports":"22","addresses":{"ipv4":["198.51.100.0/24"]}}';
    const firewall = await answer(
      "firewalls create --label wall --rules.inbound-policy DROP --rules.outbound-policy ACCEPT",
      ["--rules.outbound", "[]", "--rules.inbound", rules, "--rules.inbound", rules.replace("22", "443")],
    );
    expect(firewall.rules).toMatchObject({ inbound_policy: "DROP", inbound: [{ ports: "22" }, { ports: "443" }] });

    const secret = "Correct-Horse-42";
    const instance = await answer(
      `instances create --region us-east --type g6-nanode-1 --image compute/debian11 --root-pass ${secret} --no-booted`,
    );
    emulator.settle();
    expect(await answer(`instances view ${instance.id}`)).toMatchObject({ status: "offline" });
    const alerts = await answer(`instances update ${instance.id} --alerts.cpu 50 --no-watchdog-enabled`, [
      "--alerts",
      '{"io":7}',
      "--alerts.network-in",
      "9",
    ]);
    expect(alerts).toMatchObject({ watchdog_enabled: false, alerts: { io: 7, network_in: 9 } });
  });

  test("the body from a file or the input, as JSON or YAML; flags come on top of it", async () => {
    const file = join(place, "volume.json");
    await writeFile(file, JSON.stringify({ label: "file", region: "us-east", size: 10, tags: ["web"] }));
    expect(await answer("volumes create --size 11", ["--file", file])).toMatchObject({
      label: "file",
      size: 11,
      tags: ["web"],
    });
    const yaml = "label: yaml\nregion: us-east\ntags: [prod]\n";
    expect(await answer("volumes create --file -", ["--tags", "blue"], yaml)).toMatchObject({
      label: "yaml",
      tags: ["blue"],
    });
  });

  test("--all reads every page, and its answer is of the same form", async () => {
    for (let i = 0; i < 30; i++) await made({ label: `v${i}`, region: "us-east" });
    const first = await answer("volumes list --page-size 25");
    expect([first.data.length, first.pages, first.results]).toEqual([25, 2, 30]);
    const every = await answer("volumes list --page-size 25 --all --order-by label --desc");
    expect([every.data.length, every.pages, every.results]).toEqual([30, 1, 30]);
    expect(every.data[0].label).toBe("v9");
  });

  test("E15: --desc without --order-by orders by id", async () => {
    for (const label of ["first", "second"]) await made({ label, region: "us-east" });
    const { data } = await answer("volumes list --desc");
    expect(data.map(({ label }: { label: string }) => label)).toEqual(["second", "first"]);
  });

  test("--output takes the answer", async () => {
    const file = join(place, "out.json");
    const { code, stdout } = await call("regions list", ["--output", file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(JSON.parse(await readFile(file, "utf8")).data.length).toBeGreaterThan(5);
  });

  test("--verbose tells what is sent and answered, without secrets", async () => {
    const words =
      "instances create --verbose --region us-east --type g6-nanode-1 --image compute/debian11 --root-pass Correct-Horse-42";
    const { code, stderr } = await call(words);
    expect(code).toBe(0);
    expect(stderr).toContain('instances.create > {"region":"us-east"');
    expect(stderr).toMatch(/instances\.create 200 \d+ ms/);
    for (const secret of ["Correct-Horse-42", `Bearer`]) expect(stderr).not.toContain(secret);
  });

  async function made(body: object): Promise<void> {
    const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
    const { status } = await fetch(`${emulator.url}/volumes`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(status).toBe(200);
  }
});

describe("what is wrong is said before anything is sent, with exit code 2", () => {
  test.each([
    ["volume list", 'there is no area "volume"; did you mean "volumes"?'],
    ["volumes lst", 'there is no operation of volumes "lst"; did you mean "list"?'],
    ["volumes create --lable x", "there is no flag --lable; did you mean --label?"],
    ["volumes list --json=1", "--json takes no value"],
    ["volumes create --label", "--label: a value is missing"],
    ["volumes view", "--volume-id: is required"],
    ["volumes view x", "--volume-id x: must be a whole number"],
    ["volumes view 0", "--volume-id 0: must be at least 1"],
    [
      "volumes view 1 2",
      '"2" is one word too many: the command takes <volume-id> only; what else there is has flags, see --help',
    ],
    ["volumes resize 1 --size 5", "--size 5: must be at least 10"],
    ["volumes list --page-size 5", "--page-size 5: must be at least 25"],
    ["volumes list --filter size=1", '--filter size=1: "size" is no field to filter by; known are label, tags'],
    ["volumes list --filter label", "--filter label: must be like label=web, size>20, label~web or tags!=old"],
    ["volumes list --order-by lable", '--order-by lable: there is no such order; did you mean "label"?'],
    ["volumes list --timeout 0", "--timeout 0: must be a number of seconds above 0"],
    ["volumes create --file nowhere", "--file nowhere: can't be read (ENOENT)"],
    ["--json volumes", "--json stands too early: flags come behind area and operation"],
    [
      "volumes list --url x",
      '--url or CLOUDINFRA_URL must be an http(s) address up to the API\'s version, like https://host/v4: "x"',
    ],
  ])("%s", async (words, said) => {
    const before = requests();
    expect(await refused(words)).toEqual({ code: 2, stderr: `cloudinfra: ${said}\n` });
    expect(requests()).toBe(before);
  });

  test("all of it at once", async () => {
    expect(await refused("volumes create --label 9x --size 5 --tags ab")).toEqual({
      code: 2,
      stderr: [
        "cloudinfra:",
        "  --label 9x: must start with a letter and hold only letters, digits, single dashes and single underscores",
        "  --size 5: must be at least 10",
        "  --tags ab at [0]: must be at least 3 characters long\n",
      ].join("\n"),
    });
  });

  test("secrets are in no message, wherever they come from", async () => {
    const base = "instances create --region us-east --type g6-nanode-1";
    const secret = "aaaaaaaaaa";
    for (const [more, input] of [
      [["--root-pass", secret], ""],
      [["--file", "-"], JSON.stringify({ root_pass: secret })],
      [["--file", "-"], `{"root_pass": "${secret}" oops`],
      [["--stackscript-data", secret], ""],
    ] as const) {
      const { code, stderr } = await refused(base, [...more], input);
      expect(code).toBe(2);
      expect(stderr).not.toContain(secret);
    }
  });

  test("E6: null in the file for a field that can be left out is not refused", async () => {
    const body = JSON.stringify({ label: "nulls", region: "us-east", size: null, tags: null, compute_id: null });
    expect(await answer("volumes create --file -", [], body)).toMatchObject({ label: "nulls", size: 20, tags: [] });
    expect((await refused("volumes create --file -", [], '{"label": null, "region": "us-east"}')).stderr).toBe(
      "cloudinfra: --label: must be a string\n",
    );
  });

  test("a field of the file that nobody knows, with the one that was meant", async () => {
    expect((await refused("volumes create --file -", [], "label: ok\nregoin: us-east")).stderr).toBe(
      'cloudinfra: --file: regoin: is not a known field; did you mean "region"?\n',
    );
    expect((await refused("volumes create --file -", [], "[1]")).stderr).toContain("must hold an object");
    expect((await refused("volumes create --file -", [], '{"a": 1')).stderr).toMatch(
      /neither JSON nor YAML, at line 1/,
    );
  });
});

describe("exit codes", () => {
  test("1: refused by the service, with the flag that is to blame", async () => {
    await answer("volumes create --label twin --region us-east");
    expect(await refused("volumes create --label twin --region us-east")).toEqual({
      code: 1,
      stderr: "cloudinfra: volumes.create: 400 --label: Label must be unique\n",
    });
    expect(await refused("volumes list --token wrong")).toEqual({
      code: 1,
      stderr: "cloudinfra: volumes.list: 401 Invalid Token (check --token or CLOUDINFRA_TOKEN)\n",
    });
  });

  test("2: no address", async () => {
    const { code, stderr } = await run(["api", "volumes", "list"], { env: { CLOUDINFRA_TOKEN: "t" } });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^cloudinfra: --url or CLOUDINFRA_URL is not set and the service has no default address: give --url/,
    );
  });

  test("3: nobody there, somebody else there, or no answer in time", async () => {
    expect(await refused("volumes list --url http://127.0.0.1:1/v4")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("ECONNREFUSED"),
    });
    emulator.faults.add({ path: "volumes.list", kind: "html", status: 404 });
    expect(await refused("volumes list")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("is --url the API's URL?"),
    });
    emulator.faults.add({ path: "volumes.list", kind: "delay", delay: 60_000 });
    expect(await refused("volumes list --timeout 0.3")).toMatchObject({
      code: 3,
      stderr: "cloudinfra: volumes.list: timed out while waiting for the response\n",
    });
    emulator.faults.clear();
  });

  test.each([
    ["volumes list", "interrupted"],
    ["volumes delete 1", "volumes.delete: the answer was lost (cancelled); the request may have been carried out"],
  ])("130: Ctrl-C during %s", async (words, said) => {
    emulator.faults.add({
      path: words.startsWith("volumes list") ? "volumes.list" : "volumes.delete",
      kind: "delay",
      delay: 60_000,
    });
    const before = requests();
    const child = start(["api", ...words.split(" ")], { env });
    let stderr = "";
    child.stderr.on("data", (part) => (stderr += part));
    await expect.poll(requests, { timeout: 30_000 }).toBeGreaterThan(before);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    emulator.faults.clear();
    expect({ code, stderr }).toEqual({ code: 130, stderr: `cloudinfra: ${said}\n` });
  });

  test("a reader that goes away is no error", async () => {
    const child = start(["api", "types", "list"], { env });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (part) => (stderr += part));
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("on a terminal", () => {
  test("a list is a table that fits, whatever the width", async () => {
    await answer("volumes create --label data --region us-east --tags prod");
    emulator.settle();
    for (const columns of [50, 80, 160]) {
      const { stdout, code } = await onTerminal(["api", "volumes", "list"], env, columns);
      const lines = stripVTControlCharacters(stdout).split("\n");
      expect(code).toBe(0);
      expect(lines[0]).toMatch(/^id +label +status +size +region/);
      expect(lines[1]).toMatch(/^\d+ +data +active +20 +us-east/);
      expect(lines.slice(2).filter(Boolean)).toEqual(["1 entry"]);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  test("a record is keys and values, no result is a tick, and an empty list says so", async () => {
    const { id } = await answer("volumes create --label data --region us-east --tags prod --tags blue");
    const shown = async (...args: string[]) =>
      stripVTControlCharacters((await onTerminal(["api", ...args], env, 90)).stdout);
    expect(await shown("volumes", "view", String(id))).toMatch(/^id +\d+\nlabel +data\n(.*\n)*tags +prod, blue\n/);
    expect(await shown("volumes", "delete", String(id))).toBe(
      "✓ Delete a volume and its data, whether attached or not; billing stops.\n",
    );
    expect(await shown("volumes", "list")).toBe("No entries.\n");
    expect(JSON.parse(await shown("volumes", "list", "--json"))).toMatchObject({ results: 0 });
  });

  test("colours, unless NO_COLOR is set", async () => {
    const esc = "\u001b[";
    expect((await onTerminal(["api", "regions", "list"], env, 80)).stdout).toContain(esc);
    expect((await onTerminal(["api", "regions", "list"], { ...env, NO_COLOR: "1" }, 80)).stdout).not.toContain(esc);
  });

  test("what the service says can't steer the terminal", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J";
    const { id } = await answer("domains create --domain example.org --type master --soa-email a@example.org", [
      "--description",
      `${evil}fine`,
    ]);
    const { stdout } = await onTerminal(["api", "domains", "view", String(id)], { ...env, NO_COLOR: "1" }, 80);
    expect(stdout).toContain("fine");
    for (const char of ["\u001b", "\u0007"]) expect(stdout).not.toContain(char);
  });
});

test("bytes go in from --file and come out to --output or a pipe", async () => {
  const client = await answer("oauth-clients create --label mine --redirect-uri https://example.org/back");
  const [picture, copy] = [join(place, "in.png"), join(place, "out.png")];
  await writeFile(picture, png(64, 48));
  expect(await answer(`oauth-clients update-thumbnail ${client.id}`, ["--file", picture])).toEqual({});
  const { code, stdout } = await call(`oauth-clients view-thumbnail ${client.id}`, ["--output", copy]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(new Uint8Array(await readFile(copy))).toEqual(png(64, 48));
  expect((await refused(`oauth-clients update-thumbnail ${client.id}`, ["--file", join(place, "no.png")])).code).toBe(
    2,
  );
});
