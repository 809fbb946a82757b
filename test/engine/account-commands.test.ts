import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { run } from "../cli/command";
import { asAnother, idOf, otherId } from "../lifecycle/accounts";
import { nightly } from "../nightly";
import { providers } from "./providers";
import { idsOf, mutations, type Sandbox, sandbox } from "./sandbox";

const program = `
  new cloudinfra.Volume("data", { label: "data", region: "us-east" });
  new cloudinfra.Domain("zone", { domain: "shop.example.org", type: "master", soaEmail: "a@example.org" });`;

const another = async ({ emulator }: Sandbox): Promise<Emulator> =>
  startEmulator({ pace: "instant", load: await asAnother(emulator) });

const command = (words: readonly string[], { stack }: Sandbox, env: NodeJS.ProcessEnv = {}) =>
  run([...words, "--stack", "test"], { env: { ...stack.env, ...env }, cwd: stack.dir });

const accountOf = (emulator: Emulator): string => `account ${idOf(emulator)} at ${emulator.url}`;

const rejection = (box: Sandbox, other: Emulator): string =>
  `this stack belongs to ${accountOf(box.emulator)}, but the address and token in use are those of ${accountOf(other)}. Nothing was changed.`;

describe.each(providers("dynamic"))("a stack with the provider %s", (provider) => {
  const native = provider === "native";

  test("is moved to an account that has all of its objects, and continues there", async () => {
    await using box = await sandbox(program, { native });
    const ids = idsOf(await box.stack.up());
    await using other = await another(box);
    await box.stack.configure({ "cloudinfra:url": other.url });
    expect((await box.stack.preview([], { mayFail: true })).code).not.toBe(0);
    const lines = ["Volume data", "Domain zone"].map((name) => [name.replace(" ", ' "').concat('"'), ids[name]]);
    const rehearsed = await command(["migrate", "--account", "--dry-run"], box);
    expect(rehearsed, rehearsed.stderr).toMatchObject({ code: 0, stdout: "" });
    for (const [name, id] of lines) expect(rehearsed.stderr).toContain(`would migrate ${name} (${id})\n`);
    const moved = await command(["migrate", "--account"], box);
    expect(moved, moved.stderr).toMatchObject({ code: 0, stdout: "" });
    for (const [name, id] of lines) expect(moved.stderr).toContain(`migrated ${name} (${id})\n`);
    expect(moved.stderr).toContain(
      `The stack now belongs to ${accountOf(other)}. Run "pulumi preview": it shows what differs there.\n`,
    );
    await box.stack.refresh(["--preview-only", "--expect-no-changes"]);
    await box.stack.preview(["--expect-no-changes"]);
    await box.rewrite(program.replace('label: "data"', 'label: "renamed"'));
    await box.stack.up();
    expect(other.world.volumes.all()).toMatchObject([{ label: "renamed" }]);
    expect((await command(["migrate", "--account"], box)).stderr).toBe(
      `The stack already belongs to ${accountOf(other)}, so there is nothing to migrate.\n`,
    );
    await box.stack.destroy();
    expect([...other.world.volumes.all(), ...other.world.domains.all()]).toEqual([]);
    expect(box.emulator.world.volumes.all()).toMatchObject([{ label: "data" }]);
  });

  test("is not moved to an account that has only other objects", async () => {
    await using box = await sandbox(program, { native });
    const ids = idsOf(await box.stack.up());
    await using other = await another(box);
    other.world.volumes.patch(Number(ids["Volume data"]), { label: "theirs" });
    other.world.domains.remove(Number(ids["Domain zone"]));
    const before = await box.stack.export();
    await box.stack.configure({ "cloudinfra:url": other.url });
    const rejected = await command(["migrate", "--account"], box);
    expect(rejected.code).toBe(1);
    const [first, ...lines] = rejected.stderr.trimEnd().split("\n");
    expect(first).toBe(
      `cloudinfra: nothing was migrated, because ${accountOf(other)} does not have all objects of the stack:`,
    );
    expect(lines.sort()).toEqual([
      `  Domain "shop.example.org" (${ids["Domain zone"]}) does not exist`,
      `  Volume "data" (${ids["Volume data"]}) is another object there: it is Volume "theirs" (${ids["Volume data"]})`,
      "To create the objects there instead, run the program in a new stack.",
    ]);
    expect(await box.stack.export()).toEqual(before);
    expect(mutations(other)).toEqual([]);
  });

  test("is not compared with another account by the drift check", async () => {
    await using box = await sandbox(program, { native });
    await box.stack.up();
    await using other = await another(box);
    const env = { CLOUDINFRA_URL: other.url, CLOUDINFRA_TOKEN: other.token };
    const checked = await command(["drift", "--unmanaged"], box, env);
    expect(checked).toMatchObject({ code: 1, stdout: "" });
    expect(checked.stderr).toContain(rejection(box, other));
  });
});

nightly("a provider that the program creates is moved by its name", async () => {
  const created = ({ url }: Emulator): string => `
    const provider = new cloudinfra.Provider("shop", { url: "${url}", token: "emulator" });
    new cloudinfra.Volume("data", { label: "data", region: "us-east" }, { provider });`;
  await using box = await sandbox("", { native: true });
  await box.rewrite(created(box.emulator));
  await box.stack.up();
  await using other = await another(box);
  await box.rewrite(created(other));
  expect((await box.stack.preview([], { mayFail: true })).code).not.toBe(0);
  const env = { CLOUDINFRA_URL: other.url, CLOUDINFRA_TOKEN: other.token };
  expect((await command(["migrate", "--account", "--provider-name", "shops"], box, env)).stderr).toBe(
    'The stack has no resources of a provider "shops", so there is nothing to migrate.\n',
  );
  const moved = await command(["migrate", "--account", "--provider-name", "shop"], box, env);
  expect(moved, moved.stderr).toMatchObject({ code: 0 });
  await box.stack.preview(["--expect-no-changes"]);
  await box.stack.destroy();
  expect(other.world.volumes.all()).toEqual([]);
  expect(box.emulator.world.volumes.all()).toHaveLength(1);
});

test("adopt records the address in the stack's configuration, and rejects objects of another account", async () => {
  await using box = await sandbox(`new cloudinfra.Volume("data", { label: "data", region: "us-east" });`);
  await box.stack.up();
  await using other = await another(box);
  const { id } = other.world.volumes.insert({ ...other.world.volumes.all()[0], id: 9999, label: "logs" } as never);
  await box.stack.run(["config", "rm", "cloudinfra:url"]);
  const words = ["adopt", "Volume", "logs", String(id)];
  const rejected = await command(words, box, { CLOUDINFRA_URL: other.url });
  expect(rejected.code).not.toBe(0);
  expect(rejected.stderr).toContain(rejection(box, other));
  const { id: own } = box.emulator.world.volumes.insert({ ...other.world.volumes.find(9999) } as never);
  const adopted = await command(["adopt", "Volume", "logs", String(own)], box, { CLOUDINFRA_URL: box.emulator.url });
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  expect(adopted.stderr).toContain(`cloudinfra:url was set to ${box.emulator.url} in the stack's configuration.\n`);
  expect(readFileSync(join(box.stack.dir, "Pulumi.test.yaml"), "utf8")).toContain(
    `cloudinfra:url: ${box.emulator.url}`,
  );
});

test.each(providers())("import records the account and the address: %s", async (provider) => {
  await using box = await sandbox("");
  const { stack, emulator } = box;
  for (const label of ["data", "logs", "more", "rest"])
    await fetch(new URL("/v4/volumes", emulator.url), {
      method: "POST",
      headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
      body: JSON.stringify({ label, region: "us-east" }),
    });
  const folder = join(stack.home, "shop");
  const env = { ...stack.env, CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
  const words = [
    "import",
    "--out",
    folder,
    "--into",
    "prod",
    ...(provider === "native" ? ["--provider", "native"] : []),
  ];
  const imported = await run(words, { env });
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "Pulumi.prod.yaml"), "utf8")).toContain(`cloudinfra:url: ${emulator.url}`);
  await using other = await startEmulator({ pace: "instant", load: await asAnother(emulator) });
  const again = await run(words, { env: { ...env, CLOUDINFRA_URL: other.url } });
  // The address in the configuration takes precedence over the environment.
  expect(again, again.stderr).toMatchObject({ code: 0 });
  const settings = join(folder, "Pulumi.prod.yaml");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^ +cloudinfra:url: .*\n/m, ""));
  const rejected = await run(words, { env: { ...env, CLOUDINFRA_URL: other.url } });
  expect(rejected.code).not.toBe(0);
  expect(rejected.stderr).toContain(`this stack belongs to ${accountOf(emulator)}`);
  expect(idOf(other)).toBe(otherId);
});
