import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writeProject } from "../../../testing/engine-project";
import { newFolder } from "../../folder";

const place = newFolder();

/** Writes a package whose export is a text. */
function writePackage(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.js"), `module.exports = ${JSON.stringify(text)};`);
  return folder;
}

/** Installs a package as pnpm does: in a folder of its own, and a link to it in `node_modules`. */
function install(program: string, name: string, text: string): void {
  const store = join(program, "node_modules/.pnpm", `${name.replace("/", "+")}@1.0.0`, "node_modules", name);
  const link = join(program, "node_modules", name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(writePackage(store, text), link);
}

test("a program in a folder finds the packages that pnpm has installed for it, and those of this package", async () => {
  const [program, project] = [join(place, "shop"), join(place, "project")];
  install(program, "shop-tags", "tags of the shop");
  install(program, "@shop/network", "network of the shop");
  install(program, "@pulumi/random", "random");
  install(program, "zod", "zod of the shop");
  writeFileSync(join(program, "index.js"), "");
  await writeProject(project, program);
  const load = createRequire(join(project, "index.js"));
  expect(load("shop-tags")).toBe("tags of the shop");
  expect(load("@shop/network")).toBe("network of the shop");
  expect(load("@pulumi/random")).toBe("random");
  expect(load("zod")).toBe("zod of the shop");
  expect(load.resolve("@pulumi/pulumi")).toBe(realpathSync(require.resolve("@pulumi/pulumi")));
  expect(load.resolve("pulumi-cloudinfra/package.json")).toBe(join(__dirname, "../../../package.json"));
});

test("a program without node_modules finds the packages of this one", async () => {
  const [program, project] = [join(place, "bare"), join(place, "bare-project")];
  mkdirSync(program);
  writeFileSync(join(program, "index.js"), "");
  await writeProject(project, program);
  const load = createRequire(join(project, "index.js"));
  expect(load.resolve("@pulumi/pulumi")).toBe(realpathSync(require.resolve("@pulumi/pulumi")));
});
