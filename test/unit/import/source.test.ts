import { expect, test } from "vitest";
import { ProjectError } from "../../../import/project-error";
import { Sources } from "../../../import/source";

const LIBRARY = "pulumi-cloudinfra";

/** The text of a file after the import of the class `Volume`, of `web` from another file, and of a secret. */
async function extended(text: string): Promise<string> {
  const file = (await Sources.of(new Map([["dns.ts", text]]))).file("dns.ts");
  const [kind, web, config] = [file.use(LIBRARY, "Volume"), file.use("./compute", "web"), file.config()];
  file.append([`new ${kind}("data", { on: ${web}.id, key: ${config}.requireSecret("key") });`]);
  return file.text;
}

test("a new file gets imports, the configuration and declarations", async () => {
  expect(await extended("")).toBe(`import * as pulumi from "@pulumi/pulumi";
import { Volume } from "pulumi-cloudinfra";
import { web } from "./compute";

const config = new pulumi.Config();

new Volume("data", { on: web.id, key: config.requireSecret("key") });
`);
});

test("names that a file imports already are used, whatever the form of the import", async () => {
  expect(
    await extended(`import { Config } from '@pulumi/pulumi'
import * as cloud from 'pulumi-cloudinfra'
import { web as server } from './compute.js' // the server

const settings = new Config()
new cloud.Domain('example.org', {})
`),
  ).toBe(`import { Config } from '@pulumi/pulumi'
import * as cloud from 'pulumi-cloudinfra'
import { web as server } from './compute.js' // the server

const settings = new Config()
new cloud.Domain('example.org', {})

new cloud.Volume("data", { on: server.id, key: settings.requireSecret("key") });
`);
});

test("missing names are added to the imports of the file, in its style", async () => {
  expect(
    await extended(`import { Domain, DomainRecord } from 'pulumi-cloudinfra'
import { mail } from './compute' // moved
export const zone = new Domain('example.org', {})`),
  ).toBe(`import * as pulumi from '@pulumi/pulumi'
import { Domain, DomainRecord, Volume } from 'pulumi-cloudinfra'
import { mail, web } from './compute' // moved

const config = new pulumi.Config()

export const zone = new Domain('example.org', {})

new Volume("data", { on: web.id, key: config.requireSecret("key") });
`);
});

test("an import over several lines is unchanged, with its comments", async () => {
  expect(
    await extended(`import {
    Domain, // the zone
    Tag
} from "pulumi-cloudinfra";
`),
  ).toContain(`import {
    Domain, // the zone
    Tag,
    Volume
} from "pulumi-cloudinfra";
import { web } from "./compute";
`);
  expect(await extended(`import {\n  Zebra,\n  Domain,\n} from "pulumi-cloudinfra";\n`)).toContain(
    "import {\n  Zebra,\n  Domain,\n  Volume,\n} from",
  );
});

test("an import that becomes too long for a line gets a line for each name", async () => {
  const line = `import { DomainRecord, Firewall, FirewallDevice } from "pulumi-cloudinfra";`;
  expect(await extended(`${line}\n`)).toContain(
    `import {\n  DomainRecord,\n  Firewall,\n  FirewallDevice,\n  Volume,\n} from "pulumi-cloudinfra";\n`,
  );
});

test("a name that means something else in the file gets another local name", async () => {
  const text = await extended(`import type { Volume } from "pulumi-cloudinfra";
import { Config } from "./settings";
const config = new Config();
const web = "https://example.org";
function pulumi() {}
`);
  expect(text).toBe(`import * as pulumi2 from "@pulumi/pulumi";
import type { Volume } from "pulumi-cloudinfra";
import { Config } from "./settings";
import { Volume as Volume2 } from "pulumi-cloudinfra";
import { web as web2 } from "./compute";

const config2 = new pulumi2.Config();

const config = new Config();
const web = "https://example.org";
function pulumi() {}

new Volume2("data", { on: web2.id, key: config2.requireSecret("key") });
`);
});

test("a file without imports keeps its first line and its line ends", async () => {
  const text = await extended("#!/usr/bin/env node\r\nconst a = 1;\r\n");
  expect(text.split("\r\n")).toEqual([
    "#!/usr/bin/env node",
    `import * as pulumi from "@pulumi/pulumi";`,
    `import { Volume } from "pulumi-cloudinfra";`,
    `import { web } from "./compute";`,
    "",
    "const config = new pulumi.Config();",
    "",
    "const a = 1;",
    "",
    `new Volume("data", { on: web.id, key: config.requireSecret("key") });`,
    "",
  ]);
});

test("a module is imported only once for its effects", async () => {
  const file = (await Sources.of(new Map([["index.ts", "import './compute'\n\n// The end.\n"]]))).file("index.ts");
  for (const module of ["./compute", "./dns", "./dns"]) file.run(module);
  expect(file.text).toBe("import './compute'\nimport './dns'\n\n// The end.\n");
});

test("finds resources in all forms of declarations, but not in functions or of other packages", async () => {
  const { declared, names, secretKeys } = await Sources.of(
    new Map([
      [
        "a.ts",
        `
import { Instance as Machine, type Volume as Disk, Domain } from 'pulumi-cloudinfra'
import cloud = require("pulumi-cloudinfra/native");
import * as docker from "@pulumi/docker";
export const web = new Machine('web', { region: "us-east" }) as Machine;
const db = new Machine(\`db\`, <any>{}, { protect: true }), { id } = web;
export { db as database };
new Domain("example.org", { type: "master" });
if (id) { const spare = new cloud.Instance("spare", {}) }
export let data = new cloud.Volume("data", {
  size: 20 }) satisfies object
const image = new docker.Image("image", {});
const name = "computed";
new Domain(name, {});
function many() { return new Domain("in a function", {}); }
class Site { zone = new Domain("in a class", {}); }
web.id.apply((id) => new Domain("in a callback", {}));
const password = config.requireSecret('webPassword');
enum Level { Low }
`,
      ],
    ]),
  );
  expect([...declared.values()].map(({ kind, name, variable, exported }) => [kind, name, variable, exported])).toEqual(
    expect.arrayContaining([
      ["Instance", "web", "web", "web"],
      ["Instance", "db", "db", "database"],
      ["Domain", "example.org", undefined, undefined],
      ["Instance", "spare", undefined, undefined],
      ["Volume", "data", "data", "data"],
    ]),
  );
  expect(declared.size).toBe(5);
  expect([...secretKeys]).toEqual(["webPassword"]);
  for (const name of ["Machine", "Disk", "cloud", "web", "db", "id", "database", "spare", "many", "Site", "Level"])
    expect(names).toContain(name);
});

test("a file that is not valid TypeScript is named with its line", async () => {
  const error: unknown = await Sources.of(new Map([["dns.ts", "export const a = 1;\nexport const b = ;\n"]])).catch(
    (error) => error,
  );
  expect(error).toBeInstanceOf(ProjectError);
  expect((error as Error).message).toBe(
    "dns.ts, line 2: Unexpected token. An import adds declarations to the files of the project; correct this file and run the command again",
  );
});
