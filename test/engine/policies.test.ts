import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Run } from "../../testing/engine";
import { nightly } from "../nightly";
import { type Sandbox, sandbox } from "./sandbox";

const pack = resolve(__dirname, "../../dist/policies");

interface PolicyEvent {
  policyName: string;
  enforcementLevel: string;
  message: string;
}

/** The violations and remediations in a run, as `level policy: message`. */
const findings = ({ events }: Run): string[] =>
  events
    .flatMap((event) => {
      // The events of policies are in Pulumi's sdk/go/common/apitype/events.go.
      const { policyEvent, policyRemediationEvent } = event as {
        policyEvent?: PolicyEvent;
        policyRemediationEvent?: PolicyEvent;
      };
      if (policyRemediationEvent) return [`remediated ${policyRemediationEvent.policyName}`];
      if (!policyEvent) return [];
      const { enforcementLevel, policyName, message } = policyEvent;
      // The first line is the description of the policy, and the message contains Pulumi's marks for colours.
      const lines = message.replace(/<\{%.*?%\}>/g, "").trim();
      return [`${enforcementLevel} ${policyName}: ${lines.split("\n").at(-1)}`];
    })
    .sort();

const kinds = [
  ["the native plugin", true],
  ["dynamic resources", false],
] as const;

describe.each(kinds)("with %s", (_, native) => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await sandbox("", { native });
  });
  afterAll(() => box[Symbol.asyncDispose]());

  const withPack = async (config?: object): Promise<string[]> => {
    const file = join(box.stack.home, "policies.json");
    if (config) await writeFile(file, JSON.stringify(config));
    return ["--policy-pack", pack, ...(config ? ["--policy-pack-config", file] : [])];
  };
  const preview = async (body: string, config?: object): Promise<Run> => {
    await box.rewrite(body);
    return box.stack.preview(await withPack(config), { mayFail: true });
  };

  test("a preview fails with every violation of the policies that need no configuration", async () => {
    const run = await preview(`
      const web = new cloudinfra.Instance("web", { region: "us-east", type: "g6-nanode-1" });
      const bare = new cloudinfra.Instance("bare", { region: "us-east", type: "g6-nanode-1" });
      new cloudinfra.Firewall("wall", {
        rules: {
          inboundPolicy: "DROP",
          inbound: [{ action: "ACCEPT", protocol: "TCP", ports: "20-25", addresses: { ipv4: ["0.0.0.0/0"] } }],
          outboundPolicy: "ACCEPT",
        },
        devices: { computes: [web.id] },
      });
      new cloudinfra.ObjectStorageBucket("site", { cluster: "us-east-1", acl: "public-read" });`);
    expect(run.code).not.toBe(0);
    expect(findings(run)).toEqual([
      'mandatory instance-firewall: Instance "bare": no enabled firewall of this stack has it in devices.computes, and no FirewallDevice assigns one to it. Assignments are recognized if they use the id of the resource, not a number.',
      'mandatory no-public-objects: ObjectStorageBucket "site": acl is "public-read". Allowed values are "private", "custom".',
      'mandatory no-public-ssh: Firewall "wall": rules.inbound[0] accepts TCP connections from "0.0.0.0/0" to ports "20-25", which include 22. IPv4 prefixes must be /8 or longer, and IPv6 prefixes /7 or longer: list the networks from which you connect.',
    ]);
  });

  // The policies do not depend on the type of provider, as `test/unit/policies` proves.
  const policyTest = native ? nightly : test;

  policyTest("a preview fails with every violation of the policies that are configured", async () => {
    const config = {
      "backups-enabled": { tags: ["production"] },
      "required-tags": { tags: ["team-shop"] },
      "allowed-regions": { regions: ["eu-central"] },
      "protected-kinds": { kinds: ["Volume"] },
      "instance-firewall": "disabled",
    };
    const run = await preview(
      `
      new cloudinfra.Instance("web", { region: "us-east", type: "g6-nanode-1", tags: ["production", "team-shop"] });
      new cloudinfra.Volume("data", { region: "eu-central", size: 20 });`,
      config,
    );
    expect(run.code).not.toBe(0);
    expect(findings(run)).toEqual([
      'mandatory allowed-regions: Instance "web": region is "us-east". Allowed regions are "eu-central".',
      'mandatory backups-enabled: Instance "web": backupsEnabled is not set, but must be true for instances with the tag "production".',
      'mandatory protected-kinds: Volume "data": the resource option protect is false, but must be true for the kinds Volume. Pulumi then rejects a deletion or replacement.',
      'mandatory required-tags: Volume "data": tags are not set, but must include "team-shop".',
    ]);
  });

  nightly(
    "values that are unknown in a preview of new resources neither pass nor fail, and an update decides",
    async () => {
      const body = (size: string) => `
      const volume = new cloudinfra.Volume("data", { region: "us-east", size: 20 });
      new cloudinfra.Firewall("wall", {
        rules: {
          inboundPolicy: "DROP",
          inbound: [{ action: "ACCEPT", protocol: "TCP", ports: volume.id.apply((id) => "${size}"), addresses: { ipv4: ["0.0.0.0/0"] } }],
          outboundPolicy: "ACCEPT",
        },
      });`;
      const run = await preview(body("22"));
      expect(run.code).toBe(0);
      expect(findings(run)).toEqual([
        "advisory no-public-ssh: can't run policy 'no-public-ssh' from policy pack 'cloudinfra-policies@v0.1.0' during preview: string value at .rules.inbound.0.ports can't be known during preview",
      ]);
      const rejected = await box.stack.up(await withPack(), { mayFail: true });
      expect(rejected.code).not.toBe(0);
      expect(findings(rejected)).toEqual([
        'mandatory no-public-ssh: Firewall "wall": rules.inbound[0] accepts TCP connections from "0.0.0.0/0" to ports "22", which include 22. IPv4 prefixes must be /8 or longer, and IPv6 prefixes /7 or longer: list the networks from which you connect.',
      ]);
      expect(box.holds()).toMatchObject({ volumes: 1 });
      expect(box.holds()).not.toHaveProperty("firewalls");
      await box.rewrite(body("80"));
      expect(findings(await box.stack.up(await withPack()))).toEqual([]);
      await box.stack.destroy();
    },
  );

  nightly(
    "a stack that follows all policies passes in preview and update, also with both forms of assignments",
    async () => {
      const config = {
        "backups-enabled": { tags: ["production"] },
        "required-tags": { tags: ["team-shop"], kinds: ["Instance", "Firewall"] },
        "allowed-regions": { regions: ["us-east"] },
        "protected-kinds": { kinds: ["ObjectStorageBucket"] },
      };
      await box.rewrite(`
      const tags = ["team-shop"];
      const rules = { inboundPolicy: "DROP", inbound: [], outboundPolicy: "ACCEPT" };
      const machine = { region: "us-east", type: "g6-nanode-1", tags: [...tags, "production"], backupsEnabled: true };
      const [a, b] = ["a", "b"].map((name) => new cloudinfra.Instance(name, machine));
      new cloudinfra.Firewall("first", { rules, tags, devices: { computes: [a.id] } });
      const second = new cloudinfra.Firewall("second", { rules, tags });
      new cloudinfra.FirewallDevice("b", { firewallId: second.id, entityId: b.id });
      new cloudinfra.ObjectStorageBucket("files", { cluster: "us-east-1", acl: "private" }, { protect: true });`);
      const args = await withPack(config);
      for (const run of [await box.stack.preview(args), await box.stack.up(args), await box.stack.preview(args)])
        expect(findings(run)).toEqual([]);
      await box.stack.run(["state", "unprotect", "--all", "--yes"]);
      await box.stack.destroy();
    },
  );

  policyTest("the remediation adds the required tags, after which a preview is empty", async () => {
    await box.rewrite(`new cloudinfra.Volume("data", { region: "us-east", size: 20, tags: ["web"] });`);
    const args = await withPack({ "required-tags": { enforcementLevel: "remediate", tags: ["team-shop"] } });
    const run = await box.stack.up(args);
    expect(findings(run)).toEqual(["remediated required-tags"]);
    const { deployment } = await box.stack.export();
    const volume = deployment.resources?.find(({ type }) => type.endsWith(":Volume"));
    expect(volume?.outputs).toMatchObject({ tags: ["web", "team-shop"] });
    await box.stack.preview([...args, "--expect-no-changes"]);
    await box.stack.destroy();
  });
});

nightly("an explicit provider with a token that a preview does not know does not block the first update", async () => {
  await using box = await sandbox("", { native: true });
  const { stack, emulator } = box;
  const file = join(stack.home, "policies.json");
  await writeFile(file, JSON.stringify({ "required-tags": { tags: ["team-shop"], kinds: ["Instance"] } }));
  const args = ["--policy-pack", pack, "--policy-pack-config", file];
  const advice = (policy: string) =>
    `advisory ${policy}: can't run policy '${policy}' from policy pack 'cloudinfra-policies@v0.1.0' during preview: string value at .token can't be known during preview`;
  await box.rewrite(`
    const first = new cloudinfra.Volume("first", { region: "us-east", size: 20 });
    const token = first.id.apply(() => ${JSON.stringify(emulator.token)});
    const url = ${JSON.stringify(emulator.url)};
    const provider = new cloudinfra.Provider("account", { url, token, defaultTags: ["team-shop"] });
    const web = new cloudinfra.Instance("web", { region: "us-east", type: "g6-nanode-1" }, { provider });
    const rules = { inboundPolicy: "DROP", inbound: [], outboundPolicy: "ACCEPT" };
    new cloudinfra.Firewall("wall", { rules, devices: { computes: [web.id] } }, { provider });`);
  expect(findings(await stack.preview(args))).toEqual([advice("instance-firewall"), advice("required-tags")]);
  expect(findings(await stack.up(["--skip-preview", ...args]))).toEqual([]);
  await stack.destroy();
});

describe("the configuration", () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await sandbox(`new cloudinfra.Volume("data", { region: "us-east", size: 20 });`, { native: true });
  });
  afterAll(() => box[Symbol.asyncDispose]());

  const output = async (config: object): Promise<string> => {
    const file = join(box.stack.home, "policies.json");
    await writeFile(file, JSON.stringify(config));
    const run = await box.stack.preview(["--policy-pack", pack, "--policy-pack-config", file], { mayFail: true });
    expect(run.code).not.toBe(0);
    return `${run.stdout}\n${run.stderr}`;
  };

  test("with a wrong value is an error that names policy and property, and says what is allowed", async () => {
    const text = await output({
      "no-public-ssh": { ports: [70000] },
      "no-public-objects": { allowedAcls: ["public"] },
      "required-tags": { tags: ["ab"] },
    });
    const start = "error: validating policy config: cloudinfra-policies 0.1.0 ";
    expect(text).toContain(`${start} no-public-ssh: ports.0: Must be less than or equal to 65535`);
    expect(text).toContain(
      `${start} no-public-objects: allowedAcls.0: allowedAcls.0 must be one of the following: "private", "public-read", "authenticated-read", "public-read-write", "custom"`,
    );
    expect(text).toContain(`${start} required-tags: tags.0: String length must be greater than or equal to 3`);
  });

  test("with an unknown property is an error that names the known ones, without a stack trace", async () => {
    const text = await output({ "required-tags": { tag: ["team-shop"] } });
    expect(text).toContain(
      'policy "required-tags" has no configuration property "tag". Its properties are: enforcementLevel, tags, kinds',
    );
    expect(text).not.toMatch(/^\s+at /m);
  });
});
