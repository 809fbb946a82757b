import { afterAll, beforeAll, expect, test } from "vitest";
import { nightly } from "../nightly";
import { messages, type Sandbox, sandbox } from "./sandbox";

/** The environment of the commands. */
const env: Record<string, string> = {};
let box: Sandbox;

beforeAll(async () => {
  box = await sandbox("", { native: true, env });
});
afterAll(() => box[Symbol.asyncDispose]());

test("an error in a nested input names its path, and the first run shows all problems", async () => {
  await box.rewrite(`
    new cloudinfra.Firewall("wall", {
      label: "wall", sizee: 1,
      rules: {
        inboundPolicy: "DROP", outboundPolicy: "ACCEPT",
        inbound: [{ action: "ALLOW", protocol: "TCP", ports: "99999", addresses: { ipv4: ["192.0.2.0/33"] } }],
      },
    });`);
  const type = "error: cloudinfra:index:Firewall resource 'wall': property";
  expect(messages(await box.stack.preview([], { mayFail: true }))).toEqual([
    `${type} rules.inbound[0].action value {<nil>} has a problem: must be "ACCEPT" or "DROP" (given "ALLOW")`,
    `${type} sizee value {1} has a problem: is not a known field`,
    `${type} rules.inbound[0].addresses.ipv4[0] value {<nil>} has a problem: must be an IPv4 address or network like 192.0.2.0/24 (given "192.0.2.0/33")`,
    `${type} rules.inbound[0].ports value {<nil>} has a problem: must contain only ports from 1 to 65535: "99999" is out of range (given "99999")`,
  ]);
});

test("the value of a property that could be a misspelled secret is not printed", async () => {
  await box.rewrite(`new cloudinfra.ManagedCredential("login", { label: "login", passwrd: "planted" });`);
  const run = await box.stack.preview([], { mayFail: true });
  expect(messages(run)).toEqual([
    "error: cloudinfra:index:ManagedCredential resource 'login': property password value {<nil>} has a problem: is required",
    `error: cloudinfra:index:ManagedCredential resource 'login': property ["passwrd"] value {<nil>} has a problem: is not a known field; did you mean "password"?`,
  ]);
  expect(run.stdout + run.stderr).not.toContain("planted");
});

test("wrong arguments of a function, and an object that does not exist, are errors of the program", async () => {
  await box.rewrite(`module.exports = async () => ({ all: await cloudinfra.listVolumes({ orderBy: "colour" }) });`);
  const wrong = await box.stack.preview([], { mayFail: true });
  expect(wrong.stdout + wrong.stderr).toContain(
    `Invoke of 'cloudinfra:index:listVolumes' failed: must be "id", "label" or "tags" (given "colour") (orderBy)`,
  );
  await box.rewrite(`module.exports = async () => ({ one: await cloudinfra.getVolume({ volumeId: 999999 }) });`);
  const missing = await box.stack.preview([], { mayFail: true });
  expect(missing.stdout + missing.stderr).toContain("getVolume: no object with volumeId 999999 exists");
});

test("an unreachable service ends the program with the reason", async () => {
  await box.rewrite(`module.exports = async () => ({ one: await cloudinfra.getVolume({ volumeId: 7 }) });`);
  await box.stack.configure({ "cloudinfra:url": "http://127.0.0.1:9/v4", "cloudinfra:maxRetries": "0" });
  const run = await box.stack.preview([], { mayFail: true });
  expect(run.code).not.toBe(0);
  expect(run.stdout + run.stderr).toContain("cannot reach http://127.0.0.1:9/v4");
  await box.stack.configure({ "cloudinfra:url": box.emulator.url, "cloudinfra:maxRetries": "4" });
});

nightly("names by pulumi:autonaming, for the stack, the provider and a resource", async () => {
  await box.rewrite(`
    exports.volume = new cloudinfra.Volume("data", { region: "us-east" }).label;
    exports.firewall = new cloudinfra.Firewall("wall", { rules: { inboundPolicy: "DROP", outboundPolicy: "DROP" } }).label;`);
  const naming = (path: string, value: string) =>
    box.stack.run(["config", "set", "--path", `pulumi:autonaming${path}`, value]);
  await naming(".mode", "verbatim");
  await naming(".providers.cloudinfra.pattern", ["$", "{stack}-$", "{name}-$", "{hex(4)}"].join(""));
  await naming('.providers.cloudinfra.resources["cloudinfra:index:Firewall"].mode', "verbatim");
  const { outputs } = await box.stack.up();
  expect(outputs).toEqual({ volume: expect.stringMatching(/^[a-z]+-data-[0-9a-f]{4}$/), firewall: "wall" });

  await box.stack.run(["config", "rm", "pulumi:autonaming"]);
  await naming(".mode", "disabled");
  await box.stack.preview(["--expect-no-changes"]);
  await box.rewrite(`new cloudinfra.Volume("other", { region: "us-east" });`);
  expect(messages(await box.stack.preview([], { mayFail: true })).join("\n")).toContain(
    "property label value {<nil>} has a problem: is required, because pulumi:autonaming disables generated names",
  );
});

test("a missing address names the setting and the command that sets it", async () => {
  await box.rewrite(`new cloudinfra.Volume("data", { region: "us-east", label: "data" });`);
  await box.stack.run(["config", "rm", "pulumi:autonaming"]);
  await box.stack.up();
  const state = await box.stack.export();
  const provider = state.deployment.resources?.find(({ type }) => type === "pulumi:providers:cloudinfra");
  for (const bag of [provider?.inputs, provider?.outputs] as Record<string, unknown>[]) delete bag.url;
  await box.stack.import(state);
  const { stdout, stderr } = await box.stack.refresh([], { mayFail: true });
  expect(stdout + stderr).toContain('missing required configuration key "cloudinfra:url": the address of the API.');
  expect(stdout + stderr).toContain("pulumi config set cloudinfra:url <value>");
});
