import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../cli/command";
import { providers } from "./providers";
import { messages, mutations, type Sandbox, sandbox } from "./sandbox";

const program = `
  const web = new cloudinfra.Instance("web", {
    region: "us-east", type: "g6-nanode-1", image: "linode/debian11", rootPass: "Correct-Horse-42", tags: ["compute"],
  });
  new cloudinfra.Volume("data", { region: "us-east", size: 20, computeId: web.id.apply(Number), tags: ["linode"] });
  const zone = new cloudinfra.Domain("zone", { domain: "shop-example.com", type: "master", soaEmail: "a@example.org" });
  new cloudinfra.DomainRecord("sip", {
    domainId: zone.id.apply(Number), type: "SRV", service: "_sip", protocol: "_udp", target: "sip.example.org",
    port: 5060, priority: 10, weight: 5,
  });
  exports.image = web.image;
  exports.images = cloudinfra.listImagesOutput({ filter: { isPublic: true } }).apply(({ images }) =>
    images.map(({ id }) => id).filter((id) => /debian11/.test(id)));`;

/** Settings that the commands of this package and other clients of the public service share. */
const environmentOf = ({ stack, emulator }: Sandbox) => ({
  ...stack.env,
  CLOUDINFRA_DIALECT: "linode",
  LINODE_URL: emulator.url,
  LINODE_TOKEN: emulator.token,
});

test.each(providers())("a stack with the dialect of the public service, and all commands: %s", async (provider) => {
  const native = provider === "native";
  await using box = await sandbox(program, {
    native,
    config: { "cloudinfra:dialect": "linode" },
    emulator: { dialect: "linode" },
  });
  const { stack, emulator } = box;
  const command = (args: string[]) => run(args, { env: environmentOf(box) });
  const here = ["--stack", "test", "--project", stack.dir];

  const up = await stack.up();
  expect(messages(up)).toEqual([]);
  expect(up.outputs).toEqual({ image: "linode/debian11", images: ["compute/debian11"] });
  expect(emulator.requests.list().filter(({ path }) => path.includes("/compute/"))).toEqual([]);
  expect(emulator.world.instances.all()).toMatchObject([{ tags: ["compute"] }]);
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);

  const drift = await command(["drift", ...here, "--unmanaged"]);
  expect(drift, drift.stdout + drift.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Unmanaged: none"),
  });
  const {
    body: { id },
  } = await created(box, "/v4/volumes", { label: "by-hand", region: "us-east", size: 10 });
  expect((await command(["drift", ...here, "--unmanaged"])).stdout).toContain(`"by-hand" (${id}) in us-east`);
  const folder = join(stack.home, "other");
  const imported = await command(["import", "--out", folder, "--into", "prod"]);
  expect(imported.stdout, imported.stderr).toContain("Instance (1), Volume (2), Domain (1), DomainRecord (1)");
  expect(readFileSync(join(folder, "Pulumi.prod.yaml"), "utf8")).toContain(
    `  cloudinfra:url: ${emulator.url}\n  cloudinfra:dialect: linode\n`,
  );
  const view = await command(["api", "instances", "list"]);
  expect(JSON.parse(view.stdout).data).toMatchObject([{ image: "compute/debian11", tags: ["compute"] }]);

  emulator.requests.clear();
  if (native)
    await stack.run(["import", "cloudinfra:index:Volume", "extra", String(id), "--yes", "--generate-code=false"]);
  else expect(await command(["adopt", "Volume", "extra", String(id), ...here])).toMatchObject({ code: 0 });
  await box.rewrite(`${program}\nnew cloudinfra.Volume("extra", { label: "by-hand", region: "us-east", size: 10 });`);
  await stack.preview(["--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);
  // Adopted resources are protected.
  await stack.run(["state", "unprotect", "--all", "--yes"]);
  await stack.destroy();
  expect(box.holds()).toEqual({});
});

/** Creates an object with a request of another client. */
async function created({ emulator }: Sandbox, path: string, body: object): Promise<{ body: { id: number } }> {
  const response = await fetch(new URL(path, emulator.url), {
    method: "POST",
    headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { body: (await response.json()) as { id: number } };
}

test("with the dialect, the messages of the service have its own nouns", async () => {
  await using box = await sandbox(`new cloudinfra.Instance("web", { region: "us-east", type: "g6-nanode-1" });`, {
    config: { "cloudinfra:dialect": "linode" },
    emulator: { dialect: "linode" },
  });
  box.emulator.faults.add({ path: "instances.create", kind: "status", status: 400, reason: "Compute limit reached." });
  const failed = await box.stack.up([], { mayFail: true });
  expect(messages(failed).join("\n")).toContain("Linode limit reached.");
});
