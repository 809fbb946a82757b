import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { killMarked } from "../../testing/processes";
import { python } from "../../tools/install";
import { goModule, goModuleFile } from "../../tools/release/sdks";
import { Terminal } from "../cli/terminal";
import { newFolder } from "../folder";
import { commandsWithoutNode, goProxy, removeFromGoCache, version } from "../languages/machine";
import { more, rowsOf } from "../rows";
import { programs } from "./programs";

/** An empty folder. Everything in it comes from the files of the release or from public registries. */
const place = newFolder();
const files = join(place, "release");
const server = "github://api.github.com/pulumi-cloudinfra/pulumi-cloudinfra";
const npmTarball = join(files, `pulumi-cloudinfra-${version}.tgz`);
const policies = join(files, `cloudinfra-policies-${version}.tgz`);

/** Serves the plugin's archives in place of the releases on GitHub, and records the requests. */
const requested: string[] = [];
let releases: Server;
/** Commands without Node.js and npm. */
let bare: string;
/** The npm package, from which CI runs the drift check whatever the language of the program is. */
const tools = join(place, "tools");

beforeAll(async () => {
  cpSync(process.env.RELEASE ?? "", files, { recursive: true });
  releases = createServer((request, response) => {
    const name = basename(request.url ?? "");
    requested.push(name);
    const file = join(files, name);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.setHeader("content-length", statSync(file).size); // Pulumi compares it with the bytes that it gets.
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => releases.listen(0, "127.0.0.1", resolve));
  bare = await commandsWithoutNode(place, await python(join(__dirname, "../languages/requirements.txt")));
  for (const name of ["bash", "sh", "env", "mkdir", "dirname", "uname"])
    symlinkSync(`/usr/bin/${name}`, join(bare, name));
  mkdirSync(tools);
  const { code, output } = await new Terminal(tools, place).run(`npm init --yes && npm install "${npmTarball}"`);
  expect(code, output).toBe(0);
});
afterAll(async () => {
  releases.close();
  await removeFromGoCache();
  await killMarked(new Terminal(place, place).mark);
});

/** The commands of a user before the first update, in the folder of the program. */
const prepare: Record<keyof typeof programs, () => string | Promise<string>> = {
  "typescript-dynamic": npmInstall,
  "typescript-native": npmInstall,
  python: () => `python3 -m venv venv
    . venv/bin/activate
    pip install --quiet "${join(files, `pulumi_cloudinfra-${version}-py3-none-any.whl`)}"`,
  go: async () => {
    const variables = Object.entries(await goProxy(join(files, goModuleFile(version)), join(place, "go-proxy")));
    return `export ${variables.map(([name, value]) => `${name}="${value}"`).join(" ")}
    go mod init shop
    go get ${goModule}@v${version}
    go mod tidy`;
  },
  yaml: () => "",
};

function npmInstall(): string {
  return `npm init --yes
    npm install "${npmTarball}" @pulumi/pulumi@3 typescript@5 ts-node@10 @types/node@22
    echo '{ "compilerOptions": { "module": "node16", "strict": true } }' > tsconfig.json`;
}

interface Project extends AsyncDisposable {
  emulator: Emulator;
  folder: string;
  run(script: string): Promise<{ code: number; output: string }>;
  succeeds(script: string): Promise<string>;
}

async function project(language: keyof typeof programs, name: string = language): Promise<Project> {
  const folder = join(place, name);
  mkdirSync(folder);
  for (const [name, content] of Object.entries(programs[language]))
    writeFileSync(join(folder, name), content.replaceAll("VERSION", version));
  const emulator = await startEmulator({ pace: "instant", shuffle: true });
  const terminal = new Terminal(folder, place);
  const run = (script: string) => terminal.run(script);
  const succeeds = async (script: string): Promise<string> => {
    const { code, output } = await terminal.run(script);
    expect(code, `${script}\n${output}`).toBe(0);
    return output;
  };
  const { port } = releases.address() as AddressInfo;
  await succeeds(`mkdir state home
    export PULUMI_BACKEND_URL="file://$PWD/state" PULUMI_CONFIG_PASSPHRASE=test PULUMI_HOME="$PWD/home"
    export CLOUDINFRA_TOKEN=${emulator.token} CLOUDINFRA_URL=${emulator.url}
    export PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='^${server}=http://127.0.0.1:${port}'`);
  if (!language.startsWith("typescript")) await succeeds(`export PATH="${bare}"`);
  await succeeds(await prepare[language]());
  await succeeds(`pulumi stack init dev
    pulumi config set cloudinfra:url ${emulator.url}`);
  return {
    emulator,
    folder,
    run,
    succeeds,
    async [Symbol.asyncDispose]() {
      await emulator.close();
    },
  };
}

test.each(Object.keys(programs) as (keyof typeof programs)[])(
  "%s, from the files of the release alone: up, no changes, drift, destroy",
  async (language) => {
    requested.length = 0;
    await using it = await project(language);
    const before = rowsOf(it.emulator);
    expect(await it.succeeds("pulumi up")).toMatch(/\+ [45] created/);
    expect(more(rowsOf(it.emulator), before)).toMatchObject({ volumes: 1, domains: 1, domainRecords: 1 });
    await it.succeeds("pulumi preview --expect-no-changes");

    await resize(it.emulator, 40);
    const drift = `PATH="${process.env.PATH}" "${tools}/node_modules/.bin/cloudinfra" drift --stack dev`;
    expect(await it.run(drift)).toMatchObject({ code: 2, output: expect.stringContaining("/size: 20 → 40") });
    await it.succeeds("pulumi destroy");
    expect(more(rowsOf(it.emulator), before)).toEqual({});

    const plugins = join(it.folder, "home/plugins");
    const installed = existsSync(plugins) ? readdirSync(plugins) : [];
    const own = installed.filter((name) => /^resource-cloudinfra-v[\d.]+$/.test(name));
    if (language.startsWith("typescript")) expect({ requested, own }).toEqual({ requested: [], own: [] });
    else {
      expect([...new Set(requested)]).toEqual([`pulumi-resource-cloudinfra-v${version}-linux-amd64.tar.gz`]);
      expect(own).toEqual([`resource-cloudinfra-v${version}`]);
    }
  },
);

test("the policy pack from its npm package checks a program", async () => {
  await using it = await project("typescript-native", "policies");
  const pack = join(place, "pack");
  mkdirSync(pack);
  await it.succeeds(`(cd "${pack}" && npm init --yes && npm install "${policies}")
    echo '{ "allowed-regions": { "regions": ["eu-west"] } }' > policies.json`);
  const preview = `pulumi preview --policy-pack "${pack}/node_modules/cloudinfra-policies"`;
  expect(await it.succeeds(preview)).toContain("cloudinfra-policies");
  const { code, output } = await it.run(`${preview} --policy-pack-config policies.json`);
  expect(output).toContain('Volume "data": region is "us-east". Allowed regions are "eu-west".');
  expect(code).not.toBe(0);
});

/** Changes the volume of a stack outside Pulumi. */
async function resize({ url, token, world }: Emulator, size: number): Promise<void> {
  const [volume] = world.volumes.all();
  const { status } = await fetch(`${url}/volumes/${volume?.id}/resize`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ size }),
  });
  expect(status).toBe(200);
}

test("a language that runs without Node.js has none on its PATH", async () => {
  const { code } = await new Terminal(place, place).run(`PATH="${bare}" command -v node`);
  expect(code).not.toBe(0);
  expect(readFileSync(join(bare, "python3"), "utf8")).toMatch(/^#!\/bin\/sh\nexec /);
});
