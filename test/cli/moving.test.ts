import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { type Api, connect } from "../../provider/client";
import { kinds } from "../../provider/resources";
import { killMarked } from "../../testing/processes";
import { type Block, blocksOf } from "./markdown";
import { Terminal } from "./terminal";

const root = join(__dirname, "../..");
const read = (page: string): string => readFileSync(join(root, "docs", page), "utf8");

/** The objects that the other tool has created, by their ids. */
interface Objects {
  web: number;
  data: number;
  zone: number;
  www: number;
  front: number;
  port: number;
  wall: number;
  device: number;
}

let place: string;
let emulator: Emulator;
let objects: Objects;

beforeAll(async () => {
  place = await realpath(mkdtempSync(join(tmpdir(), "moving-")));
  emulator = await startEmulator({ pace: "instant", dialect: "linode" });
  const { api, close } = connect({ url: emulator.url, token: emulator.token, dialect: "linode" });
  objects = await create(api).finally(close);
});

afterAll(async () => {
  await emulator?.close();
  await killMarked(`README_TEST=${place}`);
  await rm(place, { recursive: true, force: true, maxRetries: 3 });
});

async function create(api: Api): Promise<Objects> {
  const region = "us-east";
  const machine = { region, type: "g6-nanode-1", image: "compute/debian11", root_pass: "Correct-Horse-42" };
  const { id: web } = await api.instances.create({ body: { ...machine, label: "web" } });
  const { id: data } = await api.volumes.create({ body: { region, label: "data", size: 20 } });
  const zone = { domain: "example.org", type: "master" as const, soa_email: "admin@example.org" };
  const { id: domainId } = await api.domains.create({ body: zone });
  const record = { type: "A" as const, name: "www", target: "192.0.2.1" };
  const { id: www } = await api.domainRecords.create({ path: { domainId }, body: record });
  const { id: front } = await api.nodeBalancers.create({ body: { region, label: "front" } });
  const { id: port } = await api.nodeBalancerConfigs.create({ path: { nodeBalancerId: front }, body: { port: 80 } });
  const rules = { inbound_policy: "DROP" as const, outbound_policy: "ACCEPT" as const };
  const { id: wall } = await api.firewalls.create({ body: { label: "wall", rules } });
  const { id: device } = await api.firewallDevices.create({
    path: { firewallId: wall },
    body: { id: web, type: "compute" },
  });
  // An object that the other tool does not manage.
  await api.volumes.create({ body: { region, label: "other", size: 20 } });
  return { web, data, zone: domainId, www, front, port, wall, device };
}

/** A terminal in a folder in which the package is installed. */
async function terminalIn(name: string): Promise<Terminal> {
  const folder = join(place, name);
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  for (const installed of ["@pulumi", "@types", "typescript", "ts-node"])
    symlinkSync(join(root, "node_modules", installed), join(folder, "node_modules", installed));
  symlinkSync(root, join(folder, "node_modules/pulumi-cloudinfra"));
  const command = `#!/bin/sh\nexec node "${join(root, "dist/cli/main.js")}" "$@"\n`;
  writeFileSync(join(folder, "node_modules/.bin/cloudinfra"), command, { mode: 0o755 });
  return new Terminal(folder, place);
}

/** Runs a block of a page, with the values that the page leaves open. */
async function succeeds(terminal: Terminal, { text }: Block): Promise<string> {
  const { code, output } = await terminal.run(
    text
      .replace("LINODE_TOKEN=…", `LINODE_TOKEN=${emulator.token} LINODE_URL=${emulator.url}`)
      .replace("PASSPHRASE=…", "PASSPHRASE=correct-horse")
      .replace(/cloudinfra:token {3}# asks for the token$/m, `cloudinfra:token ${emulator.token}`)
      // The packages of the project are in the folder above it.
      .replace(/^npm install( \.\/pulumi-cloudinfra-\S+)?$/m, ""),
  );
  expect(code, `${text}\n${output}`).toBe(0);
  return output;
}

const writeFiles = (terminal: Terminal, blocks: readonly Block[]): void => {
  for (const { file, text } of blocks) if (file) writeFileSync(join(terminal.cwd, file), text);
};

/** Runs the shell blocks of a page, in their order, and returns their outputs. */
async function runAll(terminal: Terminal, blocks: readonly Block[]): Promise<string> {
  let outputs = "";
  for (const block of blocks.filter(({ language }) => language === "sh")) outputs += await succeeds(terminal, block);
  return outputs;
}

/** The objects of the account, which a move must not change. */
const account = (): string => JSON.stringify(emulator.world, (key, value) => (key === "events" ? undefined : value));

test("a Terraform state moves as its page shows, with an empty preview and without a change of the account", {
  timeout: 300_000,
}, async () => {
  const blocks = blocksOf(read("from-terraform.md"));
  const terminal = await terminalIn("terraform");
  const folder = terminal.cwd;
  writeFiles(terminal, blocks);
  const managed = (type: string, values: object) => ({ mode: "managed", type, address: `${type}.one`, values });
  const state = {
    values: {
      root_module: {
        resources: [
          managed("linode_instance", { id: String(objects.web), label: "web" }),
          managed("linode_domain_record", { id: String(objects.www), domain_id: objects.zone }),
          managed("linode_firewall", { id: String(objects.wall) }),
          managed("linode_firewall_device", { id: String(objects.device), firewall_id: objects.wall }),
          managed("linode_sshkey", { id: "7" }),
          managed("random_password", { id: "none" }),
          { mode: "data", type: "linode_volume", values: { id: "1" } },
        ],
        child_modules: [
          {
            resources: [
              managed("linode_domain", { id: String(objects.zone) }),
              managed("linode_nodebalancer", { id: String(objects.front) }),
              managed("linode_volume", { id: String(objects.data) }),
            ],
          },
        ],
      },
    },
  };
  writeFileSync(join(terminal.cwd, "terraform.json"), JSON.stringify(state));
  const before = account();
  const output = await runAll(terminal, blocks.slice(0, -1));
  expect(output).toContain(
    "imported 7 objects into prod: Instance (1), Volume (1), Firewall (1), FirewallDevice (1), NodeBalancer (1), Domain (1), DomainRecord (1)",
  );
  expect(output).toMatch(/Resources:\n\s+8 unchanged/);
  expect(output.match(/^not moved: .*$/gm)).toEqual(["not moved: linode_sshkey.one"]);
  expect(readFileSync(join(folder, "addresses.txt"), "utf8")).toBe(
    `${["instance", "domain_record", "firewall", "firewall_device", "domain", "nodebalancer", "volume"].map((type) => `linode_${type}.one`).join("\n")}\n`,
  );
  expect(account()).toBe(before);
});

/** An entry of a state as `@pulumi/linode` writes it. */
const entry = (type: string, name: string, outputs: Record<string, unknown> = {}, parent?: string) => ({
  urn: `urn:pulumi:prod::shop::linode:index/${type}::${name}`,
  custom: true,
  id: String(outputs.id),
  type: `linode:index/${type}`,
  outputs,
  inputs: {},
  provider: "urn:pulumi:prod::shop::pulumi:providers:linode::default::00000000-0000-4000-8000-000000000000",
  ...(parent && { dependencies: [parent] }),
});

test("a stack of @pulumi/linode moves as its page shows, with an empty preview and without a change of the account", {
  timeout: 300_000,
}, async () => {
  const blocks = blocksOf(read("from-pulumi-linode.md"));
  const terminal = await terminalIn("linode");
  const files = { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "tsconfig.json": "{}", "package.json": "{}" };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(terminal.cwd, file), text);
  const { web, data, zone, www, front, port, wall, device } = objects;
  const domain = entry("domain:Domain", "zone", { id: String(zone) });
  const firewall = entry("firewall:Firewall", "wall", { id: String(wall) });
  const balancer = entry("nodeBalancer:NodeBalancer", "front", { id: String(front) });
  const resources = [
    {
      urn: "urn:pulumi:prod::shop::pulumi:providers:linode::default",
      custom: true,
      id: "00000000-0000-4000-8000-000000000000",
      type: "pulumi:providers:linode",
      inputs: {},
      outputs: {},
    },
    entry("instance:Instance", "web", { id: String(web) }),
    entry("volume:Volume", "data", { id: String(data) }),
    domain,
    entry("domainRecord:DomainRecord", "www", { id: String(www), domainId: zone }, domain.urn),
    balancer,
    entry("nodeBalancerConfig:NodeBalancerConfig", "http", { id: String(port), nodebalancerId: front }, balancer.urn),
    firewall,
    entry("firewallDevice:FirewallDevice", "wall-web", { id: String(device), firewallId: wall }, firewall.urn),
  ];
  writeFileSync(join(terminal.cwd, "resources.json"), JSON.stringify(resources));
  await succeeds(terminal, {
    line: 0,
    language: "sh",
    text: `export LINODE_URL=${emulator.url} PULUMI_BACKEND_URL="file://$PWD" PULUMI_CONFIG_PASSPHRASE=correct-horse
pulumi stack init prod
pulumi stack export > empty.json
node -e '
  const [state, resources] = ["./empty.json", "./resources.json"].map(require);
  state.deployment.resources = resources;
  console.log(JSON.stringify(state));
' > old.json
pulumi stack import --file old.json`,
  });
  writeFiles(terminal, blocks);
  const before = account();
  const output = await runAll(terminal, blocks);
  expect(output).toContain('new Volume(\n  "data",');
  expect(output).toMatch(/Resources:\n\s+9 unchanged/);
  expect(output).not.toMatch(/linode:index/);
  expect(account()).toBe(before);

  const key = entry("sshKey:SshKey", "key", { id: "7" });
  writeFileSync(join(terminal.cwd, "more.json"), JSON.stringify({ deployment: { resources: [...resources, key] } }));
  const more = await succeeds(terminal, { line: 0, language: "sh", text: "node move.mjs < more.json" });
  expect(more.trim()).toBe(`not moved: ${key.urn}`);
  const entries = readFileSync(join(terminal.cwd, "entries.txt"), "utf8").trim().split("\n");
  expect(entries).toHaveLength(8);
  expect(entries).not.toContain(key.urn);
  expect(entries.filter((urn) => urn.includes("providers"))).toEqual([]);
});

/** Names of resources in Terraform that are not those of the kinds in snake case. */
const renamed: Record<string, string> = {
  IpAssignment: "linode_networking_ip_assignment",
  IpSharing: "linode_instance_shared_ips",
  NodeBalancer: "linode_nodebalancer",
  NodeBalancerConfig: "linode_nodebalancer_config",
  NodeBalancerNode: "linode_nodebalancer_node",
  ReverseDns: "linode_rdns",
};

const rowsOf = (page: string): Map<string, string> =>
  new Map(
    [...read(page).matchAll(/^\| \[`(\w+)`\]\(resources\/[\w-]+\.md\) \| `?([^`|]+?)`? \|/gm)].map(
      ([, kind = "", other = ""]) => [kind, other],
    ),
  );

test("the pages name the same kinds, each by its name in Terraform and in @pulumi/linode", () => {
  const snake = (kind: string) => `linode_${kind.replace(/(?<=[a-z\d])[A-Z]/g, "_$&").toLowerCase()}`;
  const resources = namesIn("from-terraform.md");
  expect(resources.length).toBeGreaterThanOrEqual(22);
  for (const [kind, name] of resources) expect(name, kind).toBe(renamed[kind] ?? snake(kind));
  const classes: Record<string, string> = {
    IpAssignment: "NetworkingIpAssignment",
    IpSharing: "InstanceSharedIps",
    ReverseDns: "Rdns",
  };
  expect(namesIn("from-pulumi-linode.md")).toEqual(resources.map(([kind]) => [kind, classes[kind] ?? kind]));
});

test.each(["from-terraform.md", "from-pulumi-linode.md"])("%s has rows of existing kinds only", (page) => {
  expect([...rowsOf(page).keys()].filter((kind) => !(kind in kinds))).toEqual([]);
});

/** The kinds of a page that the other tool has too, each with its name there. */
const namesIn = (page: string): [string, string][] => [...rowsOf(page)].filter(([, other]) => other !== "–");
