import { expect, test } from "vitest";
import { ProjectError } from "../../../import";
import { manifestOf } from "../../../import/manifest";

const tarball = { spec: "file:../cloudinfra.tgz", isChosen: false };
const all = ["@pulumi/pulumi ^3.216.0", "@types/node ^22.0.0", "pulumi-cloudinfra file:../cloudinfra.tgz"];
const compiler = ["ts-node ^10.9.2", "typescript ^5.9.3"];

test("a new package.json has all packages as dependencies, also TypeScript, which Pulumi needs to run the program", () => {
  const { text, added, hasOtherMain } = manifestOf("My.Shop", "index.ts", tarball, undefined);
  expect(JSON.parse(text)).toEqual({
    name: "my.shop",
    private: true,
    main: "index.ts",
    dependencies: {
      "@pulumi/pulumi": "^3.216.0",
      "@types/node": "^22.0.0",
      "pulumi-cloudinfra": "file:../cloudinfra.tgz",
      "ts-node": "^10.9.2",
      typescript: "^5.9.3",
    },
  });
  expect({ added, hasOtherMain }).toEqual({ added: [...all, ...compiler], hasOtherMain: false });
});

test("an existing package.json keeps everything, its indentation included, and gets only the missing packages", () => {
  const before = `{
    "name": "own",
    "main": "lib.js",
    "dependencies": { "zod": "^4.0.0", "@pulumi/pulumi": "3.270.0" },
    "devDependencies": { "typescript": "~5.8.0", "ts-node": "10.9.2" }
}
`;
  const { text, added, hasOtherMain } = manifestOf("shop", "index.ts", tarball, before);
  expect(text).toBe(`{
    "name": "own",
    "main": "lib.js",
    "dependencies": {
        "@pulumi/pulumi": "3.270.0",
        "@types/node": "^22.0.0",
        "pulumi-cloudinfra": "file:../cloudinfra.tgz",
        "zod": "^4.0.0"
    },
    "devDependencies": {
        "typescript": "~5.8.0",
        "ts-node": "10.9.2"
    }
}
`);
  expect({ added, hasOtherMain }).toEqual({ added: all.slice(1), hasOtherMain: true });
});

test("a package.json that has all packages is not changed, unless the user names another source", () => {
  const { text: before } = manifestOf("shop", "index.ts", tarball, undefined);
  const compact = JSON.stringify(JSON.parse(before));
  expect(manifestOf("shop", "index.ts", { spec: "0.2.0", isChosen: false }, compact)).toEqual({
    text: compact,
    added: [],
    hasOtherMain: false,
  });
  const { text, added } = manifestOf("shop", "index.ts", { spec: "0.2.0", isChosen: true }, compact);
  expect(added).toEqual(["pulumi-cloudinfra 0.2.0"]);
  expect(JSON.parse(text).dependencies["pulumi-cloudinfra"]).toBe("0.2.0");
});

test.each([
  ["{", "package.json is not a JSON object; correct it, or name an empty folder"],
  ["[]", "package.json is not a JSON object; correct it, or name an empty folder"],
  [
    `{ "type": "module" }`,
    `package.json has "type": "module", but the program of an import consists of CommonJS modules; remove it, or name another folder`,
  ],
  [
    `{ "devDependencies": { "typescript": "^7.0.2" } }`,
    "package.json requires typescript ^7.0.2, but Pulumi runs programs with TypeScript 5 or 6; change it to ^5.9.3",
  ],
])("%s is rejected", (before, message) => {
  const attempt = () => manifestOf("shop", "index.ts", tarball, before);
  expect(attempt).toThrow(ProjectError);
  expect(attempt).toThrow(message);
});
