import { expect, test } from "vitest";
import { projectIn } from "../../../import";
import { mainIn, projectFiles } from "../../../import/project";
import { Sources } from "../../../import/source";

const project = (text: string) => projectIn(new Map([["Pulumi.yaml", text]]));

test.each([
  ["name: shop\nruntime: nodejs\n", "dynamic"],
  [`name: "shop"\nruntime: { name: nodejs }\n`, "dynamic"],
  [
    "name: shop\nplugins:\n  providers:\n  - path: ./node_modules/pulumi-cloudinfra\n    name: 'cloudinfra'\n",
    "native",
  ],
  ["name: shop\npackages: { cloudinfra: ./node_modules/pulumi-cloudinfra }\n", "native"],
  ["name: shop\nplugins:\n  providers: [{ name: other, path: ./other }]\n", "dynamic"],
])("reads name and kind of resources from Pulumi.yaml, however it is written: %j", async (text, provider) => {
  expect(await project(text)).toEqual({ name: "shop", provider });
});

test("reports a Pulumi.yaml that is not valid", async () => {
  await expect(project("name: shop\nplugins: [\n")).rejects.toThrow(/^Pulumi\.yaml: .* at line \d+/);
});

test.each([
  ["name: shop\nmain: src/app.ts\n", '{ "main": "index.ts" }', "src/app.ts"],
  ["name: shop\n", '{ "main": "app.ts" }', "app.ts"],
  ["name: shop\n", "{}", undefined],
  ["name: shop\nmain: 7\n", '{ "main": 7 }', undefined],
  ["name: shop\n", "not JSON", undefined],
  ["name: shop\n", undefined, undefined],
])("reads the main file of a program from Pulumi.yaml %j or package.json %j", async (project, manifest, main) => {
  const files = new Map([["Pulumi.yaml", project], ...(manifest ? [["package.json", manifest] as const] : [])]);
  expect(await mainIn(files)).toBe(main);
});

test("Pulumi.yaml, which marks a folder as imported, is the last file of a new project", async () => {
  const { files } = projectFiles({
    name: "shop",
    provider: "dynamic",
    protect: false,
    source: { spec: "1.0.0", isChosen: false },
    before: new Map(),
    program: new Map([["compute.ts", ""]]),
    declaring: [],
    sources: await Sources.of(new Map()),
    secrets: [],
  });
  expect([...files.keys()]).toEqual([
    "package.json",
    "tsconfig.json",
    ".gitignore",
    "index.ts",
    "compute.ts",
    "README.md",
    "Pulumi.yaml",
  ]);
  expect(files.get("README.md")).toMatch(
    /It adds declarations to\nthese files, and `import` statements to `index\.ts` for files that it does not load\./,
  );
});

test.each([
  ["", 'import "./dns";\n'],
  ['import "./dns";\n', undefined],
  ['export * from "./dns.js";\n', undefined],
  ['import dns = require("./dns");\nexport = dns;\n', undefined],
  ['import "./compute";\n', undefined],
  ['import { zone } from "./dns";\nexport const name: string = (<any>zone).name;\n', undefined],
  ['import { type zone } from "./dns";\n', 'import { type zone } from "./dns";\nimport "./dns";\n'],
  ['export { type zone } from "./dns";\n', 'import "./dns";\n\nexport { type zone } from "./dns";\n'],
  ['import type dns = require("./dns");\n', 'import type dns = require("./dns");\nimport "./dns";\n'],
  // TypeScript also removes imports whose names are not used, or only as types.
  ['import dns = require("./dns");\n', 'import dns = require("./dns");\nimport "./dns";\n'],
  [
    'import { zone } from "./dns";\nlet other: typeof zone;\n',
    'import { zone } from "./dns";\nimport "./dns";\nlet other: typeof zone;\n',
  ],
  ['import "./lib/../dns";\n', undefined],
  ['import "../dns";\n', 'import "../dns";\nimport "./dns";\n'],
  ['import { promises } from "dns";\n', 'import { promises } from "dns";\nimport "./dns";\n'],
  ['if (process.env.PROD) require("./dns");\n', undefined],
  ['export = async () => { await import("./dns"); };\n', undefined],
  [
    'type Dns = typeof import("./dns");\nrequire.resolve("./dns");\n',
    'import "./dns";\n\ntype Dns = typeof import("./dns");\nrequire.resolve("./dns");\n',
  ],
  ['import type { zone } from "./dns";\n', 'import type { zone } from "./dns";\nimport "./dns";\n'],
  ...["process.env.zone", "{ zone: 1 }"].map((value): [string, string] => [
    `import { zone } from "./dns";\nexport const own = ${value};\n`,
    `import { zone } from "./dns";\nimport "./dns";\nexport const own = ${value};\n`,
  ]),
  ...["{ zone }", "process.env[zone]", "{ [zone]: 1 }"].map((value): [string, undefined] => [
    `import { zone } from "./dns";\nexport const own = ${value};\n`,
    undefined,
  ]),
])("index.ts loads the files that declare objects of the import: %j becomes %j", async (index, written) => {
  const before = new Map([
    ["Pulumi.yaml", ""],
    ["index.ts", index],
    ["compute.ts", 'export { zone } from "./dns";\n'],
    ["dns.ts", 'import "./compute";\nexport const zone = 1;\n'],
  ]);
  const { files } = projectFiles({
    name: "shop",
    provider: "dynamic",
    protect: false,
    source: { spec: "1.0.0", isChosen: false },
    before,
    program: new Map(),
    declaring: ["dns.ts", "index.ts"],
    sources: await Sources.of(before),
    secrets: [],
  });
  expect([...files]).toEqual(written === undefined ? [] : [["index.ts", written]]);
});

test.each([
  [{ "app.ts": "" }, "app.ts", ["dns.ts"], undefined],
  [{ "app.ts": "" }, "./app", ["dns.ts"], undefined],
  [{ "app.ts": 'import "./dns";\n' }, "app.ts", [], undefined],
  [{ "app.ts": "", "index.ts": "" }, "app.ts", ["dns.ts"], undefined],
  [{ "app.ts": 'import "./index";\n', "index.ts": "" }, "app.ts", [], 'import "./dns";\n'],
  [{ "index.ts": "" }, ".", [], 'import "./dns";\n'],
  [{ "index.ts": "" }, "bin/index.js", [], 'import "./dns";\n'],
  [{ "index.ts": "" }, "bin", [], 'import "./dns";\n'],
  [{ "app.ts": 'import "./dns";\n' }, "bin/app.js", [], undefined],
  [{ "index.ts": "" }, "src/app.ts", ["dns.ts"], undefined],
  [{}, "src/app.ts", ["dns.ts"], undefined],
  [{}, undefined, ["dns.ts"], undefined],
])("of %j with the main file %j, the program does not load %j", async (programs, main, unloaded, index) => {
  const before = new Map(Object.entries({ "Pulumi.yaml": "", "dns.ts": "export const zone = 1;\n", ...programs }));
  const project = projectFiles({
    name: "shop",
    provider: "dynamic",
    protect: false,
    source: { spec: "1.0.0", isChosen: false },
    before,
    main,
    program: new Map(),
    declaring: ["dns.ts", "dns.ts"],
    sources: await Sources.of(before),
    secrets: [],
  });
  expect(project.unloaded).toEqual(unloaded);
  expect(project.main).toBe(unloaded.length ? main : undefined);
  expect(project.files.get("index.ts")).toBe(index);
});
