import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { cloudinfra } from "../../../cli/program";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { newFolder } from "../../folder";
import { asAnother } from "../../lifecycle/accounts";
import { exported } from "../../lifecycle/exported";
import { fakePulumi } from "./fake-pulumi";
import { terminal } from "./terminal";

const root = newFolder();
const at = (name: string): string => join(root, name);

let emulator: Emulator;
let client: ReturnType<typeof connect>;
let screen: ReturnType<typeof terminal>;
let volume: number;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  client = connect(emulator);
  writeFileSync(at("Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  writeFileSync(at("pulumi"), fakePulumi, { mode: 0o755 });
  ({ id: volume } = await client.api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } }));
});

beforeEach(() => {
  vi.stubEnv("CLOUDINFRA_URL", emulator.url);
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  vi.stubEnv("PULUMI_CLI", at("pulumi"));
  vi.stubEnv("STACK", at("stack.json"));
  screen = terminal();
});

afterEach(() => screen.restore());

afterAll(async () => {
  await client.close();
  await emulator.close();
});

const run = async (command: string, ...args: string[]): Promise<string> =>
  (await cloudinfra()).parseAsync(["node", "cloudinfra", command, ...args]).then(
    () => "",
    (error: Error) => error.message,
  );

const empty = { version: 3, deployment: {} };
const creating = (name: string) => ({
  type: "creating",
  resource: { urn: `urn:pulumi:prod::shop::pulumi-nodejs:dynamic/cloudinfra:Volume::${name}` },
});

test("adopt prints a command that restores the state of the same stack in the same folder", async () => {
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await run("adopt", "Volume", "data", String(volume), "--project", root, "--stack", "prod")).toBe("");
  expect(JSON.parse(readFileSync(at("stack.json"), "utf8")).deployment.resources).not.toHaveLength(0);
  const [, command = ""] =
    /To restore it, which also undoes all later updates of the state, run "(.*)"\./.exec(screen.printed.all) ?? [];
  expect(command).toMatch(
    new RegExp(`^pulumi stack import --cwd ${root} --stack prod --file ${root}/prod\\.before-adopt\\.`),
  );
  execFileSync("sh", ["-c", command], { env: { ...process.env, PATH: `${root}:${process.env.PATH}` }, cwd: "/" });
  expect(JSON.parse(readFileSync(at("stack.json"), "utf8"))).toEqual(empty);
});

test("adopt has a backup of its own each time, also twice within a second", async () => {
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  const { id: other } = await client.api.volumes.create({ body: { region: "us-east", label: "other" } });
  const saved = (): string[] => readdirSync(root).filter((name) => name.startsWith("prod.before-adopt."));
  const earlier = saved().length;
  vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_001 });
  try {
    for (const [name, id] of Object.entries({ data: volume, other })) {
      expect(await run("adopt", "Volume", name, String(id), "--project", root, "--stack", "prod")).toBe("");
      vi.setSystemTime(1_800_000_000_999);
    }
  } finally {
    vi.useRealTimers();
  }
  expect(saved()).toHaveLength(earlier + 2);
  await client.api.volumes.delete({ path: { volumeId: other } });
});

test("a backup that is not written completely is removed, so that the same command can be repeated", async () => {
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  const backup = at("partial.json");
  const words = ["adopt", "Volume", "data", String(volume), "--project", root, "--backup", backup] as const;
  vi.spyOn(promises, "writeFile").mockImplementationOnce(async () => {
    writeFileSync(backup, "{");
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  syncBuiltinESMExports();
  try {
    expect(await run(...words)).toBe(`the backup ${backup} cannot be written (ENOSPC), so nothing was adopted`);
  } finally {
    vi.mocked(promises.writeFile).mockRestore();
    syncBuiltinESMExports();
  }
  expect(await run(...words)).toBe("");
  expect(JSON.parse(readFileSync(backup, "utf8"))).toEqual(empty);
});

test("a backup is removed if another process changes the stack first, so that the same command can be repeated", async () => {
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  const backup = at("changed.json");
  const words = ["adopt", "Volume", "data", String(volume), "--project", root, "--backup", backup] as const;
  const replaced = vi.spyOn(promises, "writeFile").mockImplementationOnce(async (file, text) => {
    writeFileSync(String(file), String(text));
    writeFileSync(at("stack.json"), JSON.stringify({ version: 4, deployment: {} }));
  });
  syncBuiltinESMExports();
  try {
    expect(await run(...words)).toContain("so nothing was adopted; run the command again");
  } finally {
    replaced.mockRestore();
    syncBuiltinESMExports();
  }
  expect(existsSync(backup)).toBe(false);
  expect(await run(...words)).toBe("");
});

test.each(["acme/shop/prod", "acme/prod"])(
  "the command that restores the state names the stack as the user did: %s",
  async (stack) => {
    writeFileSync(at("stack.json"), JSON.stringify(empty));
    const words = ["--project", root, "--stack", stack, "--backup", at(`${stack.length}.json`)];
    expect(await run("adopt", "Volume", "data", String(volume), ...words)).toBe("");
    expect(screen.printed.all).toContain(`--cwd ${root} --stack ${stack} --file`);
  },
);

test("adopt leaves the reverse name of an address to the ReverseDns that manages it", async () => {
  const { api } = client;
  const { id: computeId, ipv4 } = await api.instances.create({
    body: { label: "web", region: "us-east", type: "g6-nanode-1" },
  });
  const address = String(ipv4[0]);
  const { id: domainId } = await api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "admin@example.org" },
  });
  await api.domainRecords.create({ path: { domainId }, body: { type: "A", name: "web", target: address } });
  await api.instanceAddresses.update({ path: { computeId, address }, body: { rdns: "web.example.org" } });
  const dns = { kind: "ReverseDns" as const, name: "mail", id: address, inputs: { address }, outs: { address } };
  writeFileSync(at("stack.json"), JSON.stringify(exported([dns], { stack: "prod" }).state));
  expect(await run("adopt", "InstanceIp", "more", `${computeId}/${address}`, "--project", root, "--dry-run")).toBe("");
  expect(screen.printed.all).toContain("new InstanceIp(");
  expect(screen.printed.all).not.toContain("rdns");
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await run("adopt", "InstanceIp", "more", `${computeId}/${address}`, "--project", root, "--dry-run")).toBe("");
  expect(screen.printed.all).toContain('rdns: "web.example.org"');
});

/** A volume that is attached to an instance. */
async function attachedVolume() {
  const { instances, instanceConfigs, volumes } = client.api;
  const region = "us-east";
  const { id: computeId } = await instances.create({ body: { label: "player", region, type: "g6-nanode-1" } });
  await instanceConfigs.create({ path: { computeId }, body: { label: "main", devices: {} } });
  const { id } = await volumes.create({ body: { region, label: "media", compute_id: computeId } });
  const remove = async (): Promise<void> => {
    await volumes.detach({ path: { volumeId: id } });
    await volumes.delete({ path: { volumeId: id } });
    await instances.delete({ path: { computeId } });
  };
  return { computeId, id, remove };
}

test("adopt declares the attachment of a volume once: in its VolumeAttachment, or else in the Volume", async () => {
  const { computeId, id, remove } = await attachedVolume();
  writeFileSync(at("media.txt"), `VolumeAttachment, play, ${id}\nVolume, media, ${id}\n`);
  const words = ["--file", at("media.txt"), "--project", root, "--backup", at("media.json")];
  const declared = `computeId: ${computeId},`;
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await run("adopt", ...words)).toBe("");
  expect(screen.printed.out.split(declared)).toHaveLength(2);
  const { deployment } = JSON.parse(readFileSync(at("stack.json"), "utf8"));
  const volumeRow = deployment.resources.find(({ type }: { type: string }) => type.endsWith(":Volume"));
  expect(volumeRow.inputs).not.toHaveProperty("computeId");
  expect(volumeRow.outputs).toMatchObject({ computeId, __stated: "label,region,size" });

  const stackOf = (kind: "Volume" | "VolumeAttachment") => {
    const inputs = kind === "Volume" ? { label: "media", computeId } : { volumeId: id, computeId };
    return exported([{ kind, name: "own", id: String(id), inputs, outs: inputs }], { stack: "prod" }).state;
  };
  writeFileSync(at("stack.json"), JSON.stringify(stackOf("Volume")));
  expect(await run("adopt", "VolumeAttachment", "play", String(id), "--project", root)).toBe(
    `VolumeAttachment "play" (${id}): the stack already manages this object as Volume "own"`,
  );
  const adoptVolume = async (): Promise<string> => {
    screen.printed.out = "";
    expect(await run("adopt", "Volume", "media", String(id), "--project", root, "--dry-run")).toBe("");
    expect(screen.printed.out).toContain("new Volume(");
    return screen.printed.out;
  };
  writeFileSync(at("stack.json"), JSON.stringify(stackOf("VolumeAttachment")));
  expect(await adoptVolume()).not.toContain("computeId");
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await adoptVolume()).toContain(declared);
  await remove();
});

test("adopt --dry-run in a native stack compares only the account of the stack's configuration", async () => {
  const { computeId, id, remove } = await attachedVolume();
  const { euuid } = await client.api.account.view();
  const urnOf = (name: string): string => `urn:pulumi:prod::shop::pulumi:providers:cloudinfra::${name}`;
  const provider = (name: string, account: string) => {
    const inputs = { __account: `${account} ${emulator.url}` };
    return { urn: urnOf(name), type: "pulumi:providers:cloudinfra", custom: true, id: name, inputs, outputs: inputs };
  };
  const of = (by: string, kind: "Volume" | "VolumeAttachment", object: number) => {
    return { kind, name: by, id: String(object), inputs: {}, outs: {}, provider: `${urnOf(by)}::${by}` };
  };
  const rows = [of("default", "Volume", volume), of("staging", "VolumeAttachment", id)];
  const { deployment } = exported(rows, { provider: "native", stack: "prod" }).state;
  const adoptIn = (own: string, other: string): Promise<string> => {
    const resources = [provider("default", own), provider("staging", other), ...deployment.resources];
    writeFileSync(at("stack.json"), JSON.stringify({ version: 3, deployment: { resources } }));
    return run("adopt", "Volume", "media", String(id), "--project", root, "--dry-run");
  };
  expect(await adoptIn("another-id", euuid)).toContain(`this stack belongs to account another-id at ${emulator.url}`);
  expect(await adoptIn(euuid, "another-id")).toBe("");
  expect(screen.printed.out).toContain(`computeId: ${computeId},`);
  await remove();
});

test("an import into a native stack adds native resources, although the project's files do not name the plugin", async () => {
  const out = mkdtempSync(at("plain-"));
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await run("import", "--into", "prod", "--out", out, "--provider", "native", "--filter", "kind=Volume")).toBe(
    "",
  );
  const file = join(out, "Pulumi.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(/plugins:[\s\S]*/, ""));
  const { id } = await client.api.volumes.create({ body: { region: "us-east", label: "late" } });
  const words = ["--into", "prod", "--out", out, "--filter", "kind=Volume", "--backup", join(out, "b.json")];
  expect(await run("import", ...words, "--provider", "dynamic")).toContain(
    'the stack has resources of the native plugin, such as Volume "data": run "cloudinfra migrate --to dynamic" first',
  );
  expect(await run("import", ...words)).toBe("");
  const { deployment } = JSON.parse(readFileSync(at("stack.json"), "utf8"));
  expect(deployment.resources).toContainEqual(
    expect.objectContaining({ id: String(id), type: "cloudinfra:index:Volume" }),
  );
  await client.api.volumes.delete({ path: { volumeId: id } });
});

/** A folder of a project, whose backup files are in it too. */
function projectOf(file: string): string {
  const folder = mkdtempSync(at("project-"));
  writeFileSync(join(folder, "Pulumi.yaml"), file);
  return folder;
}

/** Expects that a command is rejected before it reads the stack or the account. */
async function expectUnread(...words: string[]): Promise<string> {
  writeFileSync(at("stack.json"), "not read");
  const requests = emulator.requests.counts();
  const error = await run(words[0] ?? "", ...words.slice(1));
  expect(readFileSync(at("stack.json"), "utf8")).toBe("not read");
  expect(emulator.requests.counts()).toEqual(requests);
  return error;
}

test.each([
  ["runtime: yaml", "yaml"],
  ["runtime: { name: python, options: { virtualenv: venv } }", "python"],
])("no dynamic resources are added to a project with %s", async (line, runtime) => {
  const folder = projectOf(`name: shop\n${line}\n`);
  const reason = `dynamic resources require the runtime nodejs, and the runtime in ${folder}/Pulumi.yaml is ${runtime}`;
  for (const more of [[], ["--dry-run"]]) {
    expect(await expectUnread("adopt", "Volume", "data", String(volume), "--project", folder, ...more)).toBe(
      `nothing was adopted: ${reason}; with the native plugin, run "pulumi import cloudinfra:index:KIND NAME ID"`,
    );
    expect(await expectUnread("migrate", "--to", "dynamic", "--project", folder, ...more)).toBe(
      `nothing was migrated: ${reason}; keep the resources of the native plugin`,
    );
  }
});

test("a project's file that is not valid is an error that names it", async () => {
  const folder = projectOf("name: [shop\n");
  expect(await expectUnread("adopt", "Volume", "data", String(volume), "--project", folder)).toBe(
    `${folder}/Pulumi.yaml is not valid YAML`,
  );
});

test.each([
  "plugins: { providers: [{ name: cloudinfra, path: ./node_modules/pulumi-cloudinfra }] }",
  "packages: { cloudinfra: ./node_modules/pulumi-cloudinfra }",
])("adopt into a stack without resources decides by the project: %s", async (entry) => {
  const folder = projectOf(`name: shop\nruntime: nodejs\n${entry}\n`);
  const words = ["Volume", "data", String(volume), "--project", folder];
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await run("adopt", ...words)).toBe(
    "nothing was adopted, because adopt adds dynamic resources, and this project uses the native plugin: " +
      'run "pulumi import cloudinfra:index:KIND NAME ID", and add --dry-run here to print the program; ' +
      "or, if its program does not, remove the plugin from Pulumi.yaml",
  );
  expect(JSON.parse(readFileSync(at("stack.json"), "utf8"))).toEqual(empty);
  expect(await run("adopt", ...words, "--dry-run")).toBe("");
  expect(screen.printed.all).toContain('from "pulumi-cloudinfra/native"');
});

test("adopt adds dynamic resources to a stack that has them, although the project still names the plugin", async () => {
  const folder = projectOf("name: shop\nruntime: nodejs\npackages: { cloudinfra: ./node_modules/pulumi-cloudinfra }\n");
  const { state } = exported([{ kind: "Volume", name: "own", id: "7", inputs: {}, outs: {} }], { stack: "prod" });
  writeFileSync(at("stack.json"), JSON.stringify(state));
  expect(await run("adopt", "Volume", "data", String(volume), "--project", folder)).toBe("");
  expect(screen.printed.all).toContain('from "pulumi-cloudinfra"');
});

test("adopt warns about interrupted creates that Pulumi forgets, except that of the adopted object", async () => {
  const other = { type: "creating", resource: { urn: "urn:pulumi:prod::shop::aws:s3/bucket:Bucket::logs" } };
  const deployment = { pending_operations: [creating("data"), creating("more"), other] };
  writeFileSync(at("stack.json"), JSON.stringify({ version: 3, deployment }));
  expect(await run("adopt", "Volume", "data", String(volume), "--project", root, "--backup", at("second.json"))).toBe(
    "",
  );
  expect(screen.printed.all).toContain('The last update was interrupted while creating Volume "more"');
  expect(screen.printed.all).toMatch(/while creating \S*Bucket "logs".*Before the next update, look for its object\./);
  expect(screen.printed.all).not.toContain('creating Volume "data"');
});

test.each([
  {
    what: "an interrupted update",
    added: { pending_operations: [creating("more")] },
    reason: 'the last update was interrupted while creating Volume "more"',
  },
  {
    what: "dynamic resources in a native project",
    added: exported([{ kind: "Volume", name: "own", id: "7", inputs: {}, outs: {} }], { stack: "prod" }).state
      .deployment,
    reason: 'the stack has dynamic resources, such as Volume "own": run "cloudinfra migrate --to native" first',
  },
])("an import into a stack with $what is rejected, and changes nothing", async ({ added, reason }) => {
  const out = mkdtempSync(at("imported-"));
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await run("import", "--into", "prod", "--out", out, "--provider", "native")).toBe("");
  const { deployment } = JSON.parse(readFileSync(at("stack.json"), "utf8"));
  const resources = [...deployment.resources, ...("resources" in added ? added.resources : [])];
  const state = JSON.stringify({ version: 3, deployment: { ...deployment, ...added, resources } });
  writeFileSync(at("stack.json"), state);
  const error = await run("import", "--into", "prod", "--out", out);
  expect(error).toContain(reason);
  expect(error).toMatch(/\nnothing was imported$/);
  expect(readFileSync(at("stack.json"), "utf8")).toBe(state);
});

test("an import lists the objects that it matches with declarations by name, and what to do if one is another", async () => {
  const out = mkdtempSync(at("matched-"));
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  expect(await run("import", "--into", "prod", "--out", out, "--filter", "kind=Volume")).toBe("");
  expect(screen.printed.all).not.toContain("chosen by name");
  for (const [words, advice] of [
    [["--dry-run"], "if one is not the object that the program means, give the declared resource another name first:"],
    [[], "restore the previous state, give the declared resource another name, and import again:"],
  ] as const) {
    writeFileSync(at("stack.json"), JSON.stringify(empty));
    expect(await run("import", "--into", "prod", "--out", out, "--backup", join(out, "b.json"), ...words)).toBe("");
    expect(screen.printed.all).toContain(`${advice}\n  Volume "data" (${volume}): compute.ts\n`);
  }
});

test("adopt does not read a secret from a key that the configuration has, because the command that sets it would overwrite it", async () => {
  const { id } = await client.api.managedCredentials.create({ body: { label: "db", password: "Planted-Secret-42" } });
  const words = ["ManagedCredential", "db", String(id), "--project", root, "--stack", "prod", "--dry-run"];
  const attempt = async (keys: readonly string[]): Promise<string> => {
    writeFileSync(at("stack.json"), JSON.stringify(empty));
    vi.stubEnv("CONFIG", JSON.stringify(Object.fromEntries(keys.map((key) => [key, { value: "x", secret: true }]))));
    screen.printed.all = "";
    expect(await run("adopt", ...words)).toBe("");
    return screen.printed.all;
  };
  const free = await attempt(["other:dbPassword", "shop:password"]);
  expect(free).toContain('password: config.requireSecret("dbPassword"),');
  expect(free).toMatch(/\n {2}pulumi config set --secret dbPassword --stack prod\n$/);
  const used = await attempt(["shop:dbPassword"]);
  expect(used).toContain("pulumi config set --secret dbPassword2");
  expect(used).toContain('password: config.requireSecret("dbPassword2"),');
  expect(used).toMatch(
    /\n {2}pulumi config set --secret dbPassword2 --stack prod\nThe configuration has dbPassword already, so the program reads dbPassword2\. If you have set dbPassword for this object, use it in the program instead\.\n$/,
  );
  await client.api.managedCredentials.delete({ path: { credentialId: id } });
});

test("an import into an existing project names the stack in the commands that set secrets, because another can be selected", async () => {
  const ids: number[] = [];
  const importNext = async (label: string): Promise<string> => {
    const { id } = await client.api.managedCredentials.create({ body: { label, password: "Planted-Secret-42" } });
    ids.push(id);
    screen.printed.out = "";
    expect(await run("import", "--into", "prod", "--out", at("secrets"), "--filter", "kind=ManagedCredential")).toBe(
      "",
    );
    return screen.printed.out;
  };
  writeFileSync(at("stack.json"), JSON.stringify({ version: 3, deployment: { secrets_providers: {} } }));
  expect(await importNext("first")).toContain("\n  pulumi config set --secret firstPassword\n");
  expect(await importNext("next")).toMatch(/:\n {2}pulumi config set --secret nextPassword --stack prod\n$/);
  for (const credentialId of ids) await client.api.managedCredentials.delete({ path: { credentialId } });
});

/** A native stack with the volume, whose provider has the given settings. */
function nativeStack(settings: object, provider: object = {}) {
  const urn = "urn:pulumi:prod::shop::pulumi:providers:cloudinfra::default";
  const inputs = { label: "data", region: "us-east", size: 20 };
  const row = {
    kind: "Volume" as const,
    name: "data",
    id: String(volume),
    inputs,
    outs: inputs,
    provider: `${urn}::1`,
  };
  const { state } = exported([row], { provider: "native", stack: "prod" });
  const { resources } = state.deployment;
  const own = { urn, type: "pulumi:providers:cloudinfra", custom: true, id: "1", inputs: settings, outputs: settings };
  const secrets_providers = { type: "passphrase" };
  return { ...state, deployment: { secrets_providers, resources: [{ ...own, ...provider }, ...resources] } };
}

const migrate = () => run("migrate", "--account", "--project", root, "--backup", join(mkdtempSync(at("b-")), "b.json"));

test("migrate --account records the address, token and dialect in use, so that a refresh sends the token there", async () => {
  writeFileSync(at("stack.json"), JSON.stringify(nativeStack({ token: "old", dialect: "linode" })));
  expect(await migrate()).toBe("");
  const [provider] = JSON.parse(readFileSync(at("stack.json"), "utf8")).deployment.resources;
  expect(provider.inputs).toMatchObject({
    url: emulator.url,
    token: { plaintext: JSON.stringify(emulator.token) },
    __account: expect.stringContaining(emulator.url),
  });
  expect(provider.inputs).not.toHaveProperty("dialect");

  await using theirs = await startEmulator({ pace: "instant", dialect: "linode", load: await asAnother(emulator) });
  vi.stubEnv("CLOUDINFRA_URL", theirs.url);
  vi.stubEnv("CLOUDINFRA_DIALECT", "linode");
  writeFileSync(at("stack.json"), JSON.stringify(nativeStack({ url: emulator.url, token: "old" })));
  expect(await migrate()).toBe("");
  const [moved] = JSON.parse(readFileSync(at("stack.json"), "utf8")).deployment.resources;
  expect(moved.inputs).toMatchObject({ url: theirs.url, dialect: "linode" });
});

test("migrate --account rejects a stack in the middle of the replacement of its provider", async () => {
  const state = JSON.stringify(nativeStack({}, { delete: true }));
  writeFileSync(at("stack.json"), state);
  expect(await migrate()).toContain(
    'the provider "default" was replaced, but not yet for 1 resource: run "pulumi up" in the former account first',
  );
  expect(readFileSync(at("stack.json"), "utf8")).toBe(state);
});

test("the advice to undo an import into a folder with files does not delete the folder", async () => {
  const advice = async (out: string): Promise<string> => {
    writeFileSync(at("stack.json"), JSON.stringify(empty));
    expect(await run("import", "--into", "prod", "--out", out)).toBe("");
    return /To undo the import, .*/.exec(screen.printed.all)?.[0] ?? "";
  };
  const used = mkdtempSync(at("used-"));
  writeFileSync(join(used, ".env"), "SECRET=1");
  const listed = await advice(used);
  expect(listed).toMatch(/delete the files that were written there: (?=.*Pulumi\.yaml)(?=.*index\.ts)/);
  expect(listed).not.toMatch(/that folder|restore/);
  screen.printed.all = "";
  const own = mkdtempSync(at("own-"));
  writeFileSync(join(own, "package.json"), "{}");
  writeFileSync(join(own, ".gitignore"), "*.log\n");
  expect(await advice(own)).toMatch(
    /delete the files that were written there: tsconfig\.json, index\.ts, .*README\.md, Pulumi\.yaml, and restore those that it changed: package\.json, \.gitignore; the account/,
  );
  screen.printed.all = "";
  expect(await advice(at("fresh"))).toContain("and delete that folder; the account is not changed");
});

const LOST = "pulumi stack import failed: error: the connection was reset";
const NEVERTHELESS = `warning: ${LOST}\nThe state of the stack has the change nevertheless.\n`;

/** Starts with an empty stack. Lets the CLI fail after it has written a state and run a command of the shell. */
function losing(command = ":"): void {
  writeFileSync(at("stack.json"), JSON.stringify(empty));
  vi.stubEnv("LOST", command);
}

const importTo = (out: string, ...more: string[]): Promise<string> =>
  run("import", "--into", "prod", "--out", out, "--filter", "kind=Volume", ...more);

test("an import whose result is lost keeps its files if the state has the objects", async () => {
  losing();
  const out = at("lost");
  expect(await importTo(out)).toBe("");
  expect(screen.printed.all).toContain(NEVERTHELESS);
  expect(screen.printed.all).not.toContain("nothing was imported");
  expect(readFileSync(join(out, "compute.ts"), "utf8")).toContain('new Volume("data", {');
  expect(await importTo(out)).toBe("");
  expect(screen.printed.out).toContain("nothing new to import\n");
});

test("adopt whose result is lost does not discard the program if the state has the objects", async () => {
  losing();
  const words = ["Volume", "data", String(volume), "--project", root, "--backup", at("lost-adopt.json")];
  expect(await run("adopt", ...words)).toBe("");
  expect(screen.printed.all).toContain(NEVERTHELESS);
  expect(screen.printed.all).toContain(`\nadopted Volume "data" (${volume})\n`);
});

test.each([
  ["--account", [] as string[]],
  ["--to", ["dynamic"]],
])("migrate %s whose result is lost succeeds if the state has the change", async (option, value) => {
  losing();
  writeFileSync(at("stack.json"), JSON.stringify(nativeStack({ token: "old" })));
  const backup = at(`lost-migrate${option}.json`);
  expect(await run("migrate", option, ...value, "--project", root, "--backup", backup)).toBe("");
  expect(screen.printed.all).toContain(NEVERTHELESS);
  expect(screen.printed.all).toContain(`\nmigrated Volume "data" (${volume})\n`);
});

test("an import restores the files if the state is the previous one", async () => {
  losing(`echo '${JSON.stringify(empty)}' > "$STACK"`);
  const [out, backup] = [at("not-imported"), at("not-imported.json")];
  expect(await importTo(out, "--backup", backup)).toBe(
    `${LOST}\nThe previous state is saved in ${backup}; nothing was imported\n` +
      "The new stack prod exists and is empty; to use it, run the command again with --into prod",
  );
  expect(readdirSync(out)).toEqual([]);
});

test("an import restores the files if its change fails after the time limit, because the limit does not end its verification", async () => {
  const [out, backup, late] = [at("late"), at("late.json"), at("is-late")];
  losing(`echo '${JSON.stringify(empty)}' > "$STACK"; : > '${late}'`);
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + (existsSync(late) ? 3_600_000 : 0));
  expect(await importTo(out, "--backup", backup)).toBe(
    `${LOST}\nThe previous state is saved in ${backup}; nothing was imported\n` +
      "The new stack prod exists and is empty; to use it, run the command again with --into prod",
  );
  expect(readdirSync(out)).toEqual([]);
});

test("an import names the stack that it may have created if its state cannot be read", async () => {
  const out = at("unread");
  writeFileSync(at("stack.json"), "not JSON");
  expect(await importTo(out)).toBe(
    "pulumi stack export: the output is not JSON\n" +
      "The stack prod was created unless it existed before; to use it, run the command again with --into prod",
  );
  expect(readdirSync(out)).toEqual([]);
});

describe.each([
  ["cannot be read", 'echo > "$STACK"', "it cannot be read: pulumi stack export: the output is not JSON"],
  [
    "is a third one",
    `echo '{"version":4,"deployment":{}}' > "$STACK"`,
    "it is neither the previous state nor the new one",
  ],
])("if the result of a change is lost, and the state %s", (what, command, reason) => {
  const backup = at(`${what}.json`);
  const unknown =
    `${LOST}\nIt is not known whether the state of the stack was changed, because ${reason}\n` +
    `The previous state is saved in ${backup}. Before the next update, run the command again, with another file for --backup: it completes what is missing`;

  test("an import keeps its files, and the next one completes it", async () => {
    losing(command);
    const out = at(`${what} out`);
    expect(await importTo(out, "--backup", backup)).toBe(
      `${unknown}. The files that this command has written stay, because the state needs them if it was changed`,
    );
    const written = readFileSync(join(out, "compute.ts"), "utf8");
    expect(written).toContain('new Volume("data", {');
    writeFileSync(at("stack.json"), JSON.stringify(empty));
    vi.stubEnv("LOST", "");
    expect(await importTo(out)).toBe("");
    expect(readFileSync(join(out, "compute.ts"), "utf8")).toBe(written);
    expect(readFileSync(at("stack.json"), "utf8")).toContain("cloudinfra:Volume::data");
  });

  test("adopt advises to keep the program", async () => {
    rmSync(backup, { force: true });
    losing(command);
    expect(await run("adopt", "Volume", "data", String(volume), "--project", root, "--backup", backup)).toBe(
      `${unknown}. Keep the printed program, because the state needs it if it was changed`,
    );
  });
});
