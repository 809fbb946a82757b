import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newFolder } from "../folder";
import { exported } from "../lifecycle/exported";
import { drip, listening } from "../listening";
import { run } from "./command";
import { runHere } from "./in-process";

const folder = newFolder();
const at = (name: string): string => join(folder, name);

const volume = {
  kind: "Volume",
  name: "data",
  id: "640144",
  inputs: { label: "data" },
  outs: { label: "data" },
} as const;

/** Writes a program that takes the place of Pulumi's CLI. `exports` is its command for `pulumi stack export`. */
const pulumiCli = (name: string, exports: string): void =>
  writeFileSync(at(name), `#!/bin/sh\ncase "$1 $2" in\n"stack export") ${exports} ;;\n*) echo "{}" ;;\nesac\n`, {
    mode: 0o755,
  });

let service: Awaited<ReturnType<typeof listening>>;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  service = await listening(drip);
  const state = JSON.stringify(exported([volume]).state);
  writeFileSync(at("state.json"), state);
  pulumiCli("pulumi", `cat '${at("state.json")}'`);
  pulumiCli("slow-pulumi", "exec sleep 60");
  writeFileSync(at("Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  mkdirSync(at("imported"));
  const mark = "# Created by cloudinfra import, which adds new objects to the files of this project.";
  writeFileSync(at("imported/Pulumi.yaml"), `${mark}\nname: shop\nruntime: nodejs\n`);
  env = {
    PATH: process.env.PATH,
    PULUMI_CLI: at("pulumi"),
    CLOUDINFRA_URL: `${service.url}/v4`,
    CLOUDINFRA_TOKEN: "planted",
  };
});

afterAll(() => service[Symbol.asyncDispose]());

const here = ["--project", folder, "--stack", "dev"];
const commands: Record<string, string[]> = {
  drift: ["drift", ...here],
  adopt: ["adopt", "Volume", "more", "5", ...here],
  migrate: ["migrate", "--to", "native", ...here],
  "migrate --account": ["migrate", "--account", ...here],
  import: ["import", "--out", at("imported"), "--into", "dev"],
};

const endedAfter = (limit: string) => `within the time limit of ${limit}. To allow more time, set --timeout\n`;
const ended = endedAfter("1s");
/**
 * Before a command reads the service, Pulumi exports the stack, which takes more than a second on a busy machine. No
 * time is lost, because the test that runs at the same time waits for longer.
 */
const LATER = "8s";
const endedLater = endedAfter(LATER);

test.each(Object.entries(commands))("%s rejects a time limit that is not a duration", async (_, args) => {
  const { code, stderr } = await runHere([...args, "--timeout", "5"], { env });
  expect(stderr).toBe("cloudinfra: --timeout 5: must be a duration such as 90s, 20m or 1h30m\n");
  expect(code).toBe(args[0] === "drift" ? 1 : 2);
});

// Processes that wait run at the same time.
test.concurrent.each(Object.entries(commands))("%s ends at its time limit if Pulumi does not end", async (_, args) => {
  const ran = await run([...args, "--timeout", "1s"], { env: { ...env, PULUMI_CLI: at("slow-pulumi") } });
  expect(ran).toEqual({ code: 1, stdout: "", stderr: `cloudinfra: pulumi stack export did not end ${ended}` });
});

test.concurrent("drift ends at its time limit if the service drips", async () => {
  const ran = await run([...(commands.drift ?? []), "--timeout", LATER], { env });
  expect(ran).toEqual({
    code: 5,
    stdout: "",
    stderr: `cloudinfra: nothing could be checked: volumes.view: timed out while waiting for the response ${endedLater}`,
  });
});

test.concurrent("adopt ends at its time limit if the service drips, and adopts nothing", async () => {
  const ran = await run([...(commands.adopt ?? []), "--timeout", LATER], { env });
  expect(ran).toEqual({
    code: 5,
    stdout: "",
    stderr: `cloudinfra: nothing was adopted: volumes.view: timed out while waiting for the response ${endedLater}`,
  });
});

test.concurrent("import ends at its time limit if the service drips, and writes nothing", async () => {
  const ran = await run([...(commands.import ?? []), "--timeout", LATER], { env });
  expect(ran).toMatchObject({ code: 5, stdout: "" });
  expect(ran.stderr).toMatch(
    /^cloudinfra: nothing was imported: \w+\.list: timed out while waiting for the response within the time limit of 8s\. To allow more time, set --timeout\n$/,
  );
  expect(readdirSync(at("imported"))).toEqual(["Pulumi.yaml"]);
});

test.concurrent("a command that waits for more than 10 seconds says what it waits for", {
  timeout: 60_000,
}, async () => {
  const { stderr } = await run([...(commands.drift ?? []), "--timeout", "11s"], { env });
  expect(stderr).toMatch(/^still waiting after 1\d s for volumes\.view; the time limit is 11s \(--timeout\)\n/);
});

test("migrate --account ends at its time limit if the service drips, and migrates nothing", async () => {
  const provider = { urn: "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default", id: "1" };
  const { state } = exported([{ ...volume, provider: `${provider.urn}::${provider.id}` }]);
  const type = "pulumi:providers:pulumi-nodejs";
  const deployment = { resources: [{ ...provider, type }, ...state.deployment.resources] };
  writeFileSync(at("with-provider.json"), JSON.stringify({ ...state, deployment }));
  pulumiCli("pulumi-with-provider", `cat '${at("with-provider.json")}'`);
  // The account is waited for at most five seconds.
  const words = [...(commands["migrate --account"] ?? []), "--timeout", "4s"];
  const ran = await run(words, { env: { ...env, PULUMI_CLI: at("pulumi-with-provider") } });
  expect(ran).toMatchObject({ code: 5, stdout: "" });
  // The request and the wait for the account have the same deadline, and either can end first.
  const waits = ["account.view: timed out while waiting for the response", "waiting for the account"];
  expect(waits.map((wait) => `cloudinfra: nothing was migrated: ${wait} ${endedAfter("4s")}`)).toContain(ran.stderr);
});

test("drift exits with 5 if the service cannot be reached", async () => {
  const ran = await run(commands.drift ?? [], { env: { ...env, CLOUDINFRA_URL: "http://127.0.0.1:1/v4" } });
  expect(ran).toMatchObject({ code: 5, stdout: "" });
  expect(ran.stderr).toMatch(
    /^cloudinfra: nothing could be checked: volumes\.view: cannot reach http:\/\/127\.0\.0\.1:1\//,
  );
});
