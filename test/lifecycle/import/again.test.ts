import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as vitest } from "vitest";
import { fill } from "../../../emulator/accounts";
import { addToken } from "../../../emulator/core/users";
import { connect } from "../../../provider/client";
import { realTime } from "../../../provider/client/time";
import { hostOf } from "../../../provider/pulumi/connection";
import { cloud } from "../../../testing/cloud";
import { fresh } from "../../fresh";
import { exported, type InStack } from "../exported";
import { Project } from "./project";

/** Tests with an account, `it`, and with a project for the import of an account that has objects of all kinds. */
const test = vitest.extend("it", fresh(cloud)).extend("project", async ({ it }) => {
  await fill(it.world, "small");
  return new Project(it);
});

test("a second import writes nothing, and a third one adds only new objects and keeps edits", async () => {
  await using it = await cloud({ shuffle: true });
  await fill(it.world, "small");
  const project = new Project(it);
  const first = await project.import();
  const again = await project.import();
  expect(again).toMatchObject({ resources: [], secrets: [], unread: [], held: first.resources.length });
  expect([...again.files]).toEqual([]);

  const [web] = it.world.instances.all().filter(({ label }) => label === "web");
  const [zone] = it.world.domains.all().filter(({ domain }) => domain === "example.org");
  await it.api.volumes.create({ body: { label: "logs", size: 20, compute_id: web?.id ?? 0 } });
  await it.api.domainRecords.create({
    path: { domainId: zone?.id ?? 0 },
    body: { type: "A", name: "class", target: "192.0.2.7" },
  });
  await it.api.managedCredentials.create({ body: { label: "second", password: "Planted-Secret-42" } });
  it.world.schedule.settle();
  const renamed = (file: string): string => (project.files.get(file) ?? "").replaceAll(/\bweb\b(?=[ .])/g, "server");
  project.files.set("networking.ts", renamed("networking.ts"));
  const edited = renamed("compute.ts").replace("size: 100,", "size: 100, // as agreed");
  project.files.set("compute.ts", `${edited}\n// The end.\n`);
  const before = new Map(project.files);
  const third = await project.import();
  expect(third.resources.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "Volume logs",
    "DomainRecord class.example.org-A",
    "ManagedCredential second",
  ]);
  expect([...third.files.keys()].sort()).toEqual(["README.md", "compute.ts", "dns.ts", "managed.ts"]);
  for (const [name, text] of third.files) {
    const lines = text.split("\n");
    for (const line of (before.get(name) ?? "").split("\n")) expect(lines, name).toContain(line);
  }
  expect(third.files.get("compute.ts")?.slice(before.get("compute.ts")?.length)).toBe(
    `\nexport const logs = new Volume("logs", {\n  label: "logs",\n  region: "us-east",\n  computeId: server.id,\n});\n`,
  );
  expect(third.files.get("README.md")).toContain(
    "pulumi config set --secret deploymentPassword\npulumi config set --secret secondPassword\n```\n",
  );
  expect(project.declared()).toHaveLength(first.resources.length + third.resources.length);
});

/** Formats the TypeScript files of a project with Biome, with options of its formatter for JavaScript. */
function format(project: Project, options: object): void {
  const folder = mkdtempSync(join(tmpdir(), "formatted-"));
  const names = [...project.files.keys()].filter((name) => name.endsWith(".ts"));
  for (const name of names) writeFileSync(join(folder, name), project.files.get(name) ?? "");
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ javascript: { formatter: options } }));
  const biome = join(__dirname, "../../../node_modules/@biomejs/biome/bin/biome");
  execFileSync(process.execPath, [biome, "format", "--write", "."], { cwd: folder, stdio: "pipe" });
  for (const name of names) project.files.set(name, readFileSync(join(folder, name), "utf8"));
  rmSync(folder, { recursive: true });
}

const edit = (project: Project, edited: (text: string) => string): void => {
  for (const [name, text] of project.files) if (name.endsWith(".ts")) project.files.set(name, edited(text));
};

test.for<[string, (project: Project) => void]>([
  ["tabs", (project) => format(project, {})],
  [
    "single quotes, long lines, no semicolons and no trailing commas",
    (project) =>
      format(project, { quoteStyle: "single", semicolons: "asNeeded", trailingCommas: "none", lineWidth: 160 }),
  ],
  ["line ends of Windows", (project) => format(project, { lineEnding: "crlf" })],
  [
    "one import of everything",
    (project) =>
      edit(project, (text) =>
        text
          .replace(/^import \{[^}]*\} from "pulumi-cloudinfra"/m, `import * as cloud from "pulumi-cloudinfra"`)
          .replaceAll(/new (?=[A-Z])/g, "new cloud."),
      ),
  ],
  [
    "exports at the end",
    (project) =>
      edit(project, (text) => {
        const names = [...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
        return `${text.replaceAll(/^export const/gm, "const")}\nexport { ${names.join(", ")} };\n`;
      }),
  ],
])(
  "an import into files with %s refers to their resources and imports nothing twice",
  async ([_, change], { it, project }) => {
    await project.import();
    change(project);
    const before = new Map(project.files);
    expect((await project.import()).files).toEqual(new Map());

    const [web, spare] = ["web", "spare"].map((label) => it.world.instances.all().find((one) => one.label === label));
    const [zone] = it.world.domains.all().filter(({ domain }) => domain === "example.org");
    await it.api.volumes.create({ body: { label: "logs", size: 20, compute_id: web?.id ?? 0 } });
    await it.api.firewalls.create({
      body: { label: "inner", rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" } },
    });
    await it.api.domainRecords.create({
      path: { domainId: zone?.id ?? 0 },
      body: { type: "A", name: "class", target: "192.0.2.7" },
    });
    await it.api.managedCredentials.create({ body: { label: "second", password: "Planted-Secret-42" } });
    const [inner] = it.world.firewalls.all().filter(({ label }) => label === "inner");
    await it.api.firewallDevices.create({
      path: { firewallId: inner?.id ?? 0 },
      body: { type: "compute", id: spare?.id ?? 0 },
    });
    it.world.schedule.settle();
    const { files } = await project.import();
    expect([...files.keys()].sort()).toEqual(["README.md", "compute.ts", "dns.ts", "managed.ts", "networking.ts"]);
    for (const [name, text] of files) {
      const imports = [...text.matchAll(/ from ["'](.*)["']/g)].map(([, module]) => module);
      expect(imports, name).toEqual([...new Set(imports)]);
      const lines = text.split("\n");
      for (const line of (before.get(name) ?? "").split("\n"))
        if (!/^import /.test(line)) expect(lines).toContain(line);
    }
    expect(files.get("compute.ts")).toMatch(/"logs", \{[^}]*computeId: web\.id,/);
    expect(files.get("dns.ts")).toMatch(/"class.example.org-A", \{[^}]*domainId: exampleOrg\.id,/);
    expect(files.get("networking.ts")).toMatch(
      /"inner-spare", \{[^}]*firewallId: inner\.id,\r?\n {2}entityId: spare\.id,/,
    );
    expect(files.get("managed.ts")?.match(/pulumi\.Config/g)).toHaveLength(1);
    expect(await project.changes()).toEqual([]);
  },
);

test("the same account gives the same files in whatever order the API returns lists", async () => {
  await using it = await cloud({ shuffle: true });
  await fill(it.world, "small");
  const first = await new Project(it).import();
  for (let times = 0; times < 3; times++) expect([...(await new Project(it).import()).files]).toEqual([...first.files]);
});

test("a deleted README or index.ts is not written again", async ({ project }) => {
  await project.import({ filters: ["area=dns"] });
  for (const file of ["README.md", "index.ts"]) project.files.delete(file);
  expect([...(await project.import({ filters: ["kind=Volume"] })).files.keys()]).toEqual(["compute.ts"]);
});

test("files that the main file of the program does not load are reported if index.ts was renamed, and only then", async ({
  project,
}) => {
  const nothing = { unloaded: [], main: undefined };
  expect(await project.import({ filters: ["area=dns"] })).toMatchObject(nothing);
  expect(await project.import({ filters: ["kind=Volume"] })).toMatchObject(nothing);
  project.files.set("app.ts", project.files.get("index.ts") ?? "");
  project.files.delete("index.ts");
  project.files.set("package.json", '{ "main": "app.ts" }');
  expect(await project.import({ filters: ["area=compute"] })).toMatchObject(nothing);
  const { unloaded, main } = await project.import({ filters: ["kind=Firewall", "kind=NodeBalancer"] });
  expect({ unloaded, main }).toEqual({ unloaded: ["networking.ts", "load-balancers.ts"], main: "app.ts" });
  // As after an import that was killed before it wrote the state.
  const again = await project.import({
    filters: ["kind=Firewall"],
    state: { name: "dev", state: { version: 3, deployment: {} } },
  });
  expect(again).toMatchObject({ unloaded: ["networking.ts"], main: "app.ts" });
});

test("imports two buckets with the same label in different clusters", async ({ it }) => {
  for (const cluster of ["us-east-1", "eu-central-1"])
    await it.api.objectStorageBuckets.create({ body: { cluster, label: "photos" } });
  const project = new Project(it);
  const { resources } = await project.import();
  expect(resources.map(({ name, resource }) => `${name} ${resource.id}`)).toEqual([
    "photos eu-central-1/photos",
    "photos-2 us-east-1/photos",
  ]);
  expect(project.declared()).toHaveLength(2);
});

test("an object gets another name than a resource that the program only reads", async ({ it }) => {
  await it.api.volumes.create({ body: { label: "data", region: "us-east" } });
  const read: InStack = { kind: "Volume", name: "data", id: "7", inputs: {}, outs: {}, external: true };
  const { resources } = await new Project(it).import({ state: exported([read]) });
  expect(resources.map(({ name }) => name)).toEqual(["data-2"]);
});

test("an import after the state was lost declares nothing twice", async ({ project }) => {
  const { files, resources } = await project.import();
  const again = await project.import({ state: { name: "dev", state: { version: 3, deployment: {} } }, files });
  expect([...again.files]).toEqual([]);
  expect(again.resources.map(({ name }) => name)).toEqual(resources.map(({ name }) => name));
});

test("a file that an interrupted import has left without its import in index.ts is loaded", async ({ project }) => {
  await project.import({ filters: ["kind=Volume"] });
  const [index = "", state] = [project.files.get("index.ts"), project.state];
  await project.import({ filters: ["area=dns"] });
  project.files.set("index.ts", index);
  project.state = state;
  const { files, matched } = await project.import({ filters: ["area=dns"] });
  expect(matched).not.toEqual([]);
  expect([...files]).toEqual([["index.ts", `${index}import "./dns";\n`]]);
});

test("lists the objects that are matched with a declaration of the project by their names", async ({ it, project }) => {
  expect((await project.import()).matched).toEqual([]);
  const [{ id } = { id: 0 }] = it.world.volumes.all().filter(({ label }) => label === "data");
  const state = { name: "dev", state: { version: 3, deployment: {} } };
  const { matched } = await project.import({ state, filters: ["kind=Volume", "label=data"] });
  expect(matched).toEqual([{ kind: "Volume", name: "data", id: String(id), file: "compute.ts" }]);
});

test("an object of a component's resource is referred to by its id, even if a file declares a resource of that name", async ({
  it,
}) => {
  const project = new Project(it);
  const region = "us-east";
  const { id } = await it.api.instances.create({
    body: { label: "web", region, type: "g6-nanode-1", image: "compute/debian11", root_pass: "Correct-Horse-42" },
  });
  it.world.schedule.settle();
  await project.import({ filters: ["kind=Instance"] });
  // The instance becomes a child of a component, and the program declares another one under its name.
  const { resources = [] } = project.state.deployment;
  const own = resources.find(({ type }) => type.endsWith(":Instance"));
  Object.assign(own ?? {}, {
    urn: own?.urn.replace("::pulumi-nodejs:dynamic", "::my:index:Shop$pulumi-nodejs:dynamic"),
  });
  expect(own?.urn).toContain("Shop$");
  await it.api.volumes.create({ body: { label: "data", region, compute_id: id } });
  it.world.schedule.settle();
  const { files, resources: added } = await project.import();
  expect(files.get("compute.ts")).toContain(
    `new Volume("data", {\n  label: "data",\n  region: "${region}",\n  computeId: ${id},\n});`,
  );
  expect(added).toMatchObject([{ kind: "Volume", references: {} }]);
});

test("omits objects that another stack manages", async ({ it }) => {
  await fill(it.world, "small");
  const dns = new Project(it);
  await dns.import({ filters: ["area=dns"] });
  const rest = await new Project(it).import({ others: [{ name: "dns", state: dns.state }] });
  expect(rest.held).toBe(dns.state.deployment.resources?.filter(({ type }) => type.includes(":Domain")).length);
  expect(rest.files.has("dns.ts")).toBe(false);
});

test.for([
  [["kind=Volume"], ["Volume archive", "Volume data"]],
  [["kind=Domain", "label=*.net"], ["Domain example.net"]],
  [
    ["label=example.org"],
    [
      "Domain example.org",
      "DomainRecord example.org-MX",
      "DomainRecord example.org-TXT",
      "DomainRecord www.example.org-A",
      "DomainRecord www.example.org-AAAA",
    ],
  ],
  [["tag=ARCHIVE", "region=eu-central"], ["Volume archive"]],
  [
    ["kind=Volume", "kind=Firewall", "label=web"],
    ["Firewall web", "FirewallDevice web-web"],
  ],
])("the filters %j select %j", async ([filters, names], { project }) => {
  const { resources } = await project.import({ filters });
  expect(resources.map(({ kind, name }) => `${kind} ${name}`)).toEqual(names);
});

test("accepts single objects by id or label, and parts by both ids; reports missing ones", async ({ it, project }) => {
  const [record] = it.world.domainRecords.all().filter(({ type }) => type === "MX");
  const objects = [
    `domain/${record?.domain_id}/${record?.id}`,
    "volume/data",
    "Instance/77",
    "object-storage-bucket/us-east-1/assets",
  ];
  const { resources, unread, files } = await project.import({ objects });
  expect(resources.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "Volume data",
    "DomainRecord example.org-MX",
    "ObjectStorageBucket assets",
  ]);
  expect(files.get("dns.ts")).toContain(`domainId: ${record?.domain_id},`);
  expect(unread).toEqual([
    { kind: "Instance", reason: expect.stringMatching(/does not exist/), resources: ["Instance/77"] },
  ]);
});

test("tags that may belong to objects that could not be read are reported, not imported", async ({ it }) => {
  await it.api.volumes.create({ body: { label: "data", region: "us-east", tags: ["backup"] } });
  await it.api.tags.create({ body: { label: "unused" } });
  const resourcesOf = async (token: string) => {
    const client = connect({ url: it.emulator.url, token });
    const host = hostOf(client, realTime, { warn: () => {}, progress: () => {} });
    return await new Project(it).import({ account: { host } }).finally(() => client.close());
  };
  addToken(it.world, "few", { scopes: ["account:read_only", "computes:read_only", "domains:read_only"] });
  const { resources, unread } = await resourcesOf("few");
  expect(resources).toEqual([]);
  expect(unread.find(({ kind }) => kind === "Tag")?.reason).toMatch(
    /^"backup", "unused" may be tags of objects of these kinds, which could not be read: [\w, ]*\bVolume\b/,
  );
  addToken(it.world, "all", { scopes: "*" });
  const all = await resourcesOf("all");
  expect(all.resources.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["Volume data", "Tag unused"]);
});

test("reports the missing scope for a kind that the token may not read, and imports all others", async ({
  it,
  project,
}) => {
  addToken(it.world, "few", { scopes: ["domains:read_only"] });
  const client = connect({ url: it.emulator.url, token: "few" });
  const host = hostOf(client, realTime, { warn: () => {}, progress: () => {} });
  const { resources, unread } = await project.import({ account: { host } });
  await client.close();
  expect(new Set(resources.map(({ kind }) => kind))).toEqual(new Set(["Domain", "DomainRecord"]));
  expect(unread.find(({ kind }) => kind === "Volume")?.reason).toMatch(
    /: it needs volumes:read_only \(the token has domains:read_only\)$/,
  );
});
