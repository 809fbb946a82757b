import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { addToken } from "../../emulator/core/users";
import type { Run } from "../../testing/engine";
import { asAnother, idOf, otherId } from "../lifecycle/accounts";
import { nightly } from "../nightly";
import { providers } from "./providers";
import { idsOf, messages, mutations, type Sandbox, sandbox } from "./sandbox";

const data = `new cloudinfra.Volume("data", { label: "data", region: "us-east" })`;
const edited = `new cloudinfra.Volume("data", { label: "renamed", region: "us-east" })`;

/** Another account, whose objects have the same ids as those of the sandbox. */
const another = async ({ emulator }: Sandbox, euuid = otherId): Promise<Emulator> =>
  startEmulator({ pace: "instant", load: await asAnother(emulator, euuid) });

const rejection = ({ emulator }: Sandbox, other: Emulator): string =>
  `this stack belongs to account ${idOf(emulator)} at ${emulator.url}, but the address and token in use are those of account ${idOf(other)} at ${other.url}. ` +
  `Nothing was changed. Set cloudinfra:url to ${emulator.url} and cloudinfra:token to its token. ` +
  'To move the stack to the other account on purpose, run "npx cloudinfra migrate --account", which first looks up every object there';

/** The requests of the sandbox that are about the account and not about an object of the program. */
const requestsFor = ({ emulator }: Sandbox): (string | null)[] =>
  emulator.requests
    .list()
    .map(({ operation }) => operation)
    .filter((operation) => operation === "account.view" || operation === "instances.list");

function expectRejected(run: Run, text: string): void {
  expect([0, 7]).not.toContain(run.code);
  expect(`${run.stdout}${run.stderr}`.replaceAll(/\s+/g, " ")).toContain(text);
}

describe.each(["dynamic", "native"] as const)("a stack with the provider %s", (provider) => {
  const native = provider === "native";

  test("stops in all commands if its address leads to another account", async () => {
    await using box = await sandbox(data, { native });
    await box.stack.up();
    await using other = await another(box);
    await box.stack.configure({ "cloudinfra:url": other.url });
    await box.rewrite(edited);
    const text = rejection(box, other);
    expectRejected(await box.stack.preview([], { mayFail: true }), text);
    expectRejected(await box.stack.up([], { mayFail: true }), text);
    expectRejected(await box.stack.up(["--refresh"], { mayFail: true }), text);
    expectRejected(await box.stack.refresh(["--run-program"], { mayFail: true }), text);
    expectRejected(await box.stack.destroy(["--run-program"], { mayFail: true }), text);
    expect(mutations(other)).toEqual([]);
    // Without the program, Pulumi uses the configuration in state. Dynamic resources have that of the failed update.
    const refreshed = await box.stack.refresh(["--expect-no-changes"], { mayFail: true });
    if (native) expect(refreshed.code).toBe(0);
    else expectRejected(refreshed, `${text}. Refresh and destroy use the address and token of the last update.`);
    expect(mutations(other)).toEqual([]);
    await box.stack.configure({ "cloudinfra:url": box.emulator.url });
    expect((await box.stack.up()).ops).toMatchObject({ "Volume data": "update" });
    await box.stack.destroy();
    expect(box.holds()).toEqual({});
  });

  // Both providers look up the account by the same code.
  (native ? nightly : test)("shows before the first update in which account it creates objects", async () => {
    await using box = await sandbox(data, { native });
    const [{ id }] = box.emulator.world.account.all() as unknown as [{ id: never }];
    box.emulator.world.account.patch(id, { company: "Example Corp" });
    const line = `new objects are created in the account of Example Corp at ${box.emulator.url}, which has 0 instances`;
    const text = ({ stdout, stderr }: Run) => `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
    expect(text(await box.stack.preview())).toContain(line);
    expect(requestsFor(box), "the second one counts the instances").toEqual(["account.view", "instances.list"]);
    await box.stack.up();
    await box.rewrite(`${data}; new cloudinfra.Volume("more", { label: "more", region: "us-east" })`);
    const later = text(await box.stack.preview());
    // Pulumi can check a new dynamic resource before those that exist, and then the line appears again.
    if (native) expect(later).not.toContain("new objects are created");
  });

  // `test/lifecycle/account.test.ts` counts the requests of dynamic resources.
  nightly("sends one request for the account, and without the scope at most one that is rejected", async () => {
    await using box = await sandbox(data, { native });
    await box.stack.up();
    box.emulator.requests.clear();
    await box.stack.preview(["--expect-no-changes"]);
    expect(requestsFor(box)).toEqual(["account.view"]);
    await box.stack.destroy();
    addToken(box.emulator.world, "emulator", { scopes: ["volumes:read_write", "events:read_only"] });
    await box.stack.up();
    box.emulator.requests.clear();
    await box.stack.preview(["--expect-no-changes"]);
    // Pulumi configures the native plugin before a response has listed the scopes.
    expect(requestsFor(box)).toEqual(native ? ["account.view"] : []);
  });
});

test.each(providers())(
  "a stack fails in a preview if the service rejects the token, with a change and without: %s",
  async (provider) => {
    await using box = await sandbox(data, { native: provider === "native" });
    await box.stack.up();
    await box.stack.configure({ "cloudinfra:token": { secret: "wrong" } });
    for (const program of [data, edited]) {
      await box.rewrite(program);
      expectRejected(
        await box.stack.preview([], { mayFail: true }),
        "cloudinfra:token is not valid: account.view: 401",
      );
    }
    await box.stack.configure({ "cloudinfra:token": { secret: "emulator" } });
    expect((await box.stack.up()).ops).toMatchObject({ "Volume data": "update" });
  },
);

test.each(providers())("a stack is not changed in state by an update whose token is rejected: %s", async (provider) => {
  await using box = await sandbox(data, { native: provider === "native" });
  await box.stack.up();
  const before = volumeIn(await box.stack.export());
  await box.rewrite(edited);
  box.emulator.faults.add({ path: "volumes.update", kind: "status", status: 401 });
  expectRejected(await box.stack.up([], { mayFail: true }), "volumes.update: 401");
  expect(volumeIn(await box.stack.export())).toEqual(before);
  expect((await box.stack.preview(["--diff"])).stdout).toContain('label: "data" => "renamed"');
  expect((await box.stack.up()).ops).toMatchObject({ "Volume data": "update" });
});

test.each(providers())(
  "a stack continues at a new address of the same account, with one line in each command: %s",
  async (provider) => {
    await using box = await sandbox(data, { native: provider === "native" });
    await box.stack.up();
    const { "Volume data": id } = idsOf(await box.stack.up());
    await using moved = await another(box, idOf(box.emulator));
    await box.stack.configure({ "cloudinfra:url": moved.url });
    const line = `the API address has changed from ${box.emulator.url} to ${moved.url}; account ${idOf(moved)} is the same`;
    for (const run of [await box.stack.preview(), await box.stack.up()])
      expect(messages(run)).toEqual([`warning: ${line}`]);
    await box.rewrite(edited);
    const updated = await box.stack.up();
    expect(messages(updated)).toEqual([]);
    expect(moved.world.volumes.all()).toMatchObject([{ id: Number(id), label: "renamed" }]);
    expect(box.emulator.world.volumes.all()).toMatchObject([{ label: "data" }]);
  },
);

test.each(providers())(
  "a stack that was created without an account gets it in the next update, which shows no change: %s",
  async (provider) => {
    await using box = await sandbox(data, { native: provider === "native" });
    await box.stack.up();
    await box.stack.import(withoutAccounts(await box.stack.export()));
    await box.stack.preview(["--expect-no-changes", "--diff"]);
    const run = await box.stack.up(["--expect-no-changes"]);
    expect(`${run.stdout}${run.stderr}`).not.toContain("__account");
    await using other = await another(box);
    await box.stack.configure({ "cloudinfra:url": other.url });
    expectRejected(await box.stack.preview([], { mayFail: true }), rejection(box, other));
    await box.stack.configure({ "cloudinfra:url": box.emulator.url });
    await box.stack.import(withoutAccounts(await box.stack.export()));
    await box.rewrite(edited);
    for (const run of [await box.stack.preview(["--diff"]), await box.stack.up(["--diff"])])
      expect(`${run.stdout}${run.stderr}`).not.toContain("__account");
  },
);

const volumeIn = ({ deployment }: Awaited<ReturnType<Sandbox["stack"]["export"]>>): unknown =>
  deployment.resources
    ?.filter(({ type }) => type.endsWith(":Volume"))
    .map(({ inputs, outputs, ...rest }) => ({ inputs, outputs, initErrors: Object.keys(rest).includes("initErrors") }));

/** The state of a stack as it was before accounts were recorded. */
const withoutAccounts = <T>(state: T): T =>
  JSON.parse(JSON.stringify(state), (key, value) => (key === "__account" ? undefined : value)) as T;

describe("a resource of the native plugin", () => {
  const settings = ({ url }: Emulator) => `{ url: ${JSON.stringify(url)}, token: "emulator" }`;
  const program = (provider: string, name: string) => `
    const provider = new cloudinfra.Provider("${name}", ${provider});
    new cloudinfra.Volume("data", { label: "data", region: "us-east" }, { provider });`;

  test("is replaced, not updated, when it gets a provider of another account", async () => {
    await using box = await sandbox("", { native: true });
    await box.rewrite(program(settings(box.emulator), "one"));
    await box.stack.up();
    await using other = await another(box);
    other.world.volumes.patch(Number(box.emulator.world.volumes.all()[0]?.id), { label: "theirs" });
    await box.rewrite(program(settings(other), "two"));
    expect((await box.stack.preview()).ops).toMatchObject({ "Volume data": "replace" });
    await box.stack.up();
    expect(box.emulator.world.volumes.all()).toEqual([]);
    expect(other.world.volumes.all().map(({ label }) => label)).toEqual(["theirs", "data"]);
    expect(mutations(other)).toEqual(["volumes.create"]);
  });

  // Decided like the replacement above; only the name of the first provider differs.
  nightly("is replaced when it changes from the default provider to one of another account", async () => {
    await using box = await sandbox(data, { native: true });
    await box.stack.up();
    await using other = await another(box);
    other.world.volumes.patch(Number(box.emulator.world.volumes.all()[0]?.id), { label: "theirs" });
    await box.rewrite(program(settings(other), "two"));
    await box.stack.up();
    expect(box.emulator.world.volumes.all()).toEqual([]);
    expect(mutations(other)).toEqual(["volumes.create"]);
  });

  test("is not changed when the settings of its explicit provider lead to another account", async () => {
    await using box = await sandbox("", { native: true });
    await box.rewrite(program(settings(box.emulator), "one"));
    await box.stack.up();
    await using other = await another(box);
    await box.rewrite(program(settings(other), "one"));
    expectRejected(await box.stack.preview([], { mayFail: true }), rejection(box, other));
    expectRejected(await box.stack.up([], { mayFail: true }), rejection(box, other));
    expect(mutations(other)).toEqual([]);
  });
});
