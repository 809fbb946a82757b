import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { apiCommands } from "./api-commands";
import { run, start } from "./command";

const { emulator, env, requests, response, rejected } = apiCommands();

describe("reports usage errors before it sends a request, with exit code 2", () => {
  test.each([
    ["volume list", 'there is no area "volume"; did you mean "volumes"?'],
    ["volumes lst", 'there is no operation of volumes "lst"; did you mean "list"?'],
    ["volumes create --lable x", "unknown flag --lable; did you mean --label?"],
    ["volumes list --json=1", "--json does not take a value"],
    [
      "instances update 1 --watchdog-enabled=false",
      "--watchdog-enabled does not take a value; for false, use --no-watchdog-enabled",
    ],
    ["volumes create --label", "--label: requires a value"],
    ["volumes view", "--volume-id: is required"],
    ["volumes view x", "--volume-id x: must be a whole number"],
    ["volumes view 0", "--volume-id 0: must be at least 1"],
    [
      "volumes view 1 2",
      'unexpected argument "2": the command takes only <volume-id>. Other fields are flags; see --help',
    ],
    ["volumes resize 1 --size 5", "--size 5: must be at least 10"],
    ["volumes list --page-size 5", "--page-size 5: must be at least 25"],
    ["volumes list --filter size=1", '--filter size=1: "size" is not a filterable field; expected one of label, tags'],
    ["volumes list --filter label", "--filter label: must have the form label=web, size>20, label~web or tags!=old"],
    ["volumes list --order-by lable", '--order-by lable: is not a sortable field; did you mean "label"?'],
    ["volumes list --timeout 0", "--timeout 0: must be a number of seconds above 0"],
    ["volumes create --file nowhere", "--file nowhere: cannot be read (ENOENT)"],
    [
      "--json volumes",
      'unexpected --json: flags come after the area and the operation, as in "cloudinfra api volumes list --json"',
    ],
    [
      "volumes list --url x",
      '--url or CLOUDINFRA_URL must be the http or https URL of the API with its version, such as https://host/v4; it is "x"',
    ],
  ])("%s", async (words, messages) => {
    const before = requests();
    expect(await rejected(words)).toEqual({ code: 2, stderr: `cloudinfra: ${messages}\n` });
    expect(requests()).toBe(before);
  });

  test("all errors at once", async () => {
    expect(await rejected("volumes create --label 9x --size 5 --tags ab")).toEqual({
      code: 2,
      stderr: [
        "cloudinfra:",
        "  --label 9x: must start with a letter and contain only letters, digits, single dashes and single underscores",
        "  --size 5: must be at least 10",
        "  --tags ab at [0]: must be at least 3 characters long\n",
      ].join("\n"),
    });
  });

  test("no message shows a secret from a flag, a file or an argument", async () => {
    const base = "instances create --region us-east --type g6-nanode-1";
    const secret = "aaaaaaaaaa";
    for (const [more, input, command = base] of [
      [["--data", `{"card_number":"${secret}","cvv":"123",}`], "", "payment-methods add"],
      [["--data", `{"card_number":"${secret}","cvv":"123","year":1}`], "", "payment-methods add"],
      [["--root-pass", secret], ""],
      [["--file", "-"], JSON.stringify({ root_pass: secret })],
      [["--file", "-"], `{"root_pass": "${secret}" oops`],
      [["--stackscript-data", secret], ""],
    ] as const) {
      const { code, stderr } = await rejected(command, [...more], input);
      expect(code).toBe(2);
      expect(stderr).not.toContain(secret);
    }
  });

  test("accepts null in the file for an optional field", async () => {
    const body = JSON.stringify({ label: "nulls", region: "us-east", size: null, tags: null, compute_id: null });
    expect(await response("volumes create --file -", [], body)).toMatchObject({ label: "nulls", size: 20, tags: [] });
    expect((await rejected("volumes create --file -", [], '{"label": null, "region": "us-east"}')).stderr).toBe(
      "cloudinfra: --label: must be a string\n",
    );
  });

  test("an unknown field in the file, with a suggestion", async () => {
    expect((await rejected("volumes create --file -", [], "label: ok\nregoin: us-east")).stderr).toBe(
      'cloudinfra: --file: regoin: is not a known field; did you mean "region"?\n',
    );
    expect((await rejected("volumes create --file -", [], "[1]")).stderr).toContain("must contain an object");
    expect((await rejected("volumes create --file -", [], '{"a": 1')).stderr).toMatch(
      /neither JSON nor YAML, at line 1/,
    );
  });
});

describe("exit codes", () => {
  test("1: an API error, with the flag that caused it", async () => {
    await response("volumes create --label taken --region us-east");
    expect(await rejected("volumes create --label taken --region us-east")).toEqual({
      code: 1,
      stderr: "cloudinfra: volumes.create: 400 --label: Label must be unique\n",
    });
    expect(await rejected("volumes list --token wrong")).toEqual({
      code: 1,
      stderr: "cloudinfra: volumes.list: 401 Invalid Token (check --token or CLOUDINFRA_TOKEN)\n",
    });
  });

  test("1: an error of the service after which the change may have been carried out", async () => {
    emulator().faults.add({ path: "volumes.delete", kind: "status", status: 503, reason: "Down.", retryAfter: 600 });
    expect(await rejected("volumes delete 1")).toEqual({
      code: 1,
      stderr: "cloudinfra: volumes.delete: 503 Down.; the request may have been carried out\n",
    });
  });

  test("2: no address", async () => {
    const { code, stderr } = await run(["api", "volumes", "list"], { env: { CLOUDINFRA_TOKEN: "t" } });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^cloudinfra: --url or CLOUDINFRA_URL is not set and the service has no default address: pass --url or set CLOUDINFRA_URL/,
    );
  });

  test("3: no server, a server that is not the API, or no response in time", async () => {
    expect(await rejected("volumes list --url http://127.0.0.1:1/v4")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("ECONNREFUSED"),
    });
    emulator().faults.add({ path: "volumes.list", kind: "html", status: 404 });
    expect(await rejected("volumes list")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("Check that --url is the address of the API"),
    });
    emulator().faults.add({ path: "volumes.list", kind: "delay", delay: 60_000 });
    expect(await rejected("volumes list --timeout 0.3")).toMatchObject({
      code: 3,
      stderr: "cloudinfra: volumes.list: timed out while waiting for the response\n",
    });
    emulator().faults.clear();
  });

  test.each([
    ["volumes list", "interrupted"],
    ["volumes delete 1", "volumes.delete: the response was lost (cancelled); the request may have been carried out"],
  ])("130: Ctrl-C during %s", async (words, messages) => {
    emulator().faults.add({
      path: words.startsWith("volumes list") ? "volumes.list" : "volumes.delete",
      kind: "delay",
      delay: 60_000,
    });
    const before = requests();
    const child = start(["api", ...words.split(" ")], { env: env() });
    let stderr = "";
    child.stderr.on("data", (part) => (stderr += part));
    await expect.poll(requests, { timeout: 30_000 }).toBeGreaterThan(before);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    emulator().faults.clear();
    expect({ code, stderr }).toEqual({ code: 130, stderr: `cloudinfra: ${messages}\n` });
  });

  test("a closed output pipe is not an error", async () => {
    const child = start(["api", "types", "list"], { env: env() });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (part) => (stderr += part));
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
