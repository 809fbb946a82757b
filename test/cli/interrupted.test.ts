import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { newFolder } from "../folder";
import { exported } from "../lifecycle/exported";
import { fakePulumi } from "../unit/cli/fake-pulumi";
import { finished, start } from "./command";

const root = newFolder();
let emulator: Emulator;
let volume: string;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  const client = connect(emulator);
  const { id } = await client.api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } });
  volume = String(id);
  await client.close();
});

afterAll(() => emulator.close());

/** A project whose Pulumi CLI sends a signal to the command that has started it before it writes the state. */
function projectWith(signal: string, resources: readonly object[]) {
  const folder = mkdtempSync(join(root, "shop-"));
  const at = (name: string): string => join(folder, name);
  const imports = `"stack import")\n    kill -s ${signal} $PPID; sleep 0.3`;
  const settings = `"config set") echo "$*" >> "$STACK.settings" ;;`;
  const cli = fakePulumi.replace('"stack import")', `${settings}\n  ${imports}`);
  writeFileSync(at("pulumi"), cli, { mode: 0o755 });
  writeFileSync(at("Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  writeFileSync(at("stack.json"), JSON.stringify({ version: 3, deployment: { resources } }));
  const [PULUMI_CLI, STACK] = [at("pulumi"), at("stack.json")];
  return { at, env: { CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token, PULUMI_CLI, STACK } };
}

/** A native stack with the volume. */
function nativeRows(): object[] {
  const type = "pulumi:providers:cloudinfra";
  const urn = `urn:pulumi:prod::shop::${type}::default`;
  const inputs = { label: "data", region: "us-east", size: 20 };
  const row = { kind: "Volume" as const, name: "data", id: volume, inputs, outs: inputs, provider: `${urn}::1` };
  const { resources } = exported([row], { provider: "native", stack: "prod" }).state.deployment;
  return [{ urn, type, custom: true, id: "1", inputs: {}, outputs: {} }, ...resources];
}

test.each([
  ["adopt", "INT"],
  ["adopt", "TERM"],
  ["adopt", "HUP"],
  ["import", "HUP"],
  ["migrate --to dynamic", "HUP"],
  ["migrate --account", "HUP"],
])("%s completes the change of a state that SIG%s interrupts", async (command, signal) => {
  const { at, env } = projectWith(signal, command.startsWith("migrate") ? nativeRows() : []);
  const words = {
    adopt: ["adopt", "Volume", "data", volume, "--project", at("")],
    import: ["import", "--into", "prod", "--out", at("new")],
  }[command] ?? [...command.split(" "), "--project", at("")];
  const { code, stderr } = await finished(start(words, { env }));
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/The previous state is saved in|undo/) });
  expect(readFileSync(at("stack.json"), "utf8")).toContain(`"id":"${volume}"`);
  if (!command.startsWith("migrate"))
    expect(readFileSync(at("stack.json.settings"), "utf8")).toContain(`cloudinfra:url ${emulator.url}`);
});

test("Ctrl-C in the terminal, which reaches the whole process group, does not end Pulumi while it writes the state", async () => {
  const { at, env } = projectWith("INT", []);
  const group = "$(ps -o pgid= -p $PPID | tr -d ' ')";
  writeFileSync(
    at("pulumi"),
    readFileSync(at("pulumi"), "utf8").replace("kill -s INT $PPID", `kill -s INT -- -${group}`),
  );
  const words = ["adopt", "Volume", "data", volume, "--project", at("")];
  const { code, stderr } = await finished(start(words, { env, detached: true }));
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("The previous state is saved in") });
  expect(readFileSync(at("stack.json"), "utf8")).toContain(`"id":"${volume}"`);
});

test("adopt completes the change of a state if nothing can be printed any more", async () => {
  const { at, env } = projectWith("HUP", []);
  const child = start(["adopt", "Volume", "data", volume, "--project", at("")], { env });
  child.stderr.destroy();
  await once(child.stdout, "data");
  child.stdout.destroy();
  await once(child, "close");
  expect(readFileSync(at("stack.json.settings"), "utf8")).toContain(`cloudinfra:url ${emulator.url}`);
});
