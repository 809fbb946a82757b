import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { asAnother, idOf, otherId } from "../lifecycle/accounts";
import { nightly } from "../nightly";
import { messages, mutations, type Sandbox, sandbox } from "./sandbox";

const dead = "http://127.0.0.1:1/v4";
const env: Record<string, string> = {};
let box: Sandbox;

beforeAll(async () => {
  box = await sandbox(
    `new cloudinfra.Volume("data", { label: "data", region: "us-east" });
     new cloudinfra.ObjectStorageBucket("photos", { label: "photos", cluster: "us-east-1" });`,
    { env },
  );
  await box.stack.up();
  box.emulator.requests.clear();
});
afterAll(() => box[Symbol.asyncDispose]());

const drift = (...args: string[]) =>
  box.stack.refresh(["--preview-only", "--expect-no-changes", ...args], { mayFail: true });

/** Sets an API address in the environment for the duration of the test. */
function environment(url: string): Disposable {
  env.CLOUDINFRA_URL = url;
  return { [Symbol.dispose]: () => void delete env.CLOUDINFRA_URL };
}

nightly(
  "a drift check with --run-program uses the configured URL, and never exits with 0 if it cannot be reached",
  async () => {
    expect((await drift("--run-program")).code).toBe(0);
    await box.stack.configure({ "cloudinfra:url": dead });
    const failed = await drift("--run-program");
    expect([0, 7]).not.toContain(failed.code);
    expect(messages(failed).join()).toContain(`the address in use is ${dead}, and its account cannot be read`);
    // Without `--run-program`, a refresh uses the provider configuration that the last update has stored in state.
    expect((await drift()).code).toBe(0);
    await box.stack.configure({ "cloudinfra:url": box.emulator.url });
  },
);

test("a refresh prefers the address in the environment to that of the last update, with a warning", async () => {
  using _ = environment(dead);
  for (const run of [await drift(), await drift("--run-program")]) {
    expect([0, 7]).not.toContain(run.code);
    expect(messages(run)).toContain(
      `warning: CLOUDINFRA_URL (${dead}) is not the address in cloudinfra:url (${box.emulator.url}). Refresh (also in up --refresh) and destroy use CLOUDINFRA_URL, up and preview use cloudinfra:url`,
    );
    expect(messages(run).join("\n")).toContain(
      `but the address in use is ${dead}, and its account cannot be read: connect ECONNREFUSED 127.0.0.1:1. Nothing was changed. ` +
        `Set CLOUDINFRA_URL to ${box.emulator.url} and cloudinfra:token to its token, or unset CLOUDINFRA_URL if the stack has an address of its own`,
    );
    expect(run.stdout, "Pulumi's Node.js process does not print the error once more").not.toContain(
      "AnotherAccountError",
    );
  }
  const preview = await box.stack.preview(["--expect-no-changes"]);
  expect(messages(preview), "the configuration of the program comes first in a preview").toEqual([]);
});

test("objects that another service does not have stay in state, and nothing is deleted there", async () => {
  await using other = await startEmulator({ pace: "instant", load: await asAnother(box.emulator) });
  using _ = environment(other.url);
  const before = await box.stack.export();
  const text = `this stack belongs to account ${idOf(box.emulator)} at ${box.emulator.url}, but the address and token in use are those of account ${otherId} at ${other.url}. Nothing was changed.`;
  for (const command of ["refresh", "destroy"] as const) {
    const run = await box.stack[command]([], { mayFail: true });
    expect([0, 7]).not.toContain(run.code);
    const shown = messages(run).join("\n");
    expect(shown).toContain(text);
    expect(shown.split("Nothing was changed."), "the whole text appears once").toHaveLength(2);
    expect(shown).toContain(
      `Set CLOUDINFRA_URL to ${box.emulator.url} and cloudinfra:token to its token, or unset CLOUDINFRA_URL`,
    );
    expect(shown).not.toContain("--run-program");
  }
  expect([...mutations(other), ...mutations(box.emulator)]).toEqual([]);
  expect((await box.stack.export()).deployment.resources?.map(({ id }) => id)).toEqual(
    before.deployment.resources?.map(({ id }) => id),
  );
});

nightly("the same URL in the environment in another notation changes nothing", async () => {
  using _ = environment(`${box.emulator.url}/`);
  const checked = await drift();
  expect(checked.code).toBe(0);
  expect(messages(checked)).toEqual([]);
  await box.stack.destroy();
  expect(box.holds()).toEqual({});
});
