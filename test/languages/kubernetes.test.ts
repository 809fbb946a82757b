import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { parse } from "yaml";
import { type Sandbox, sandbox } from "../engine/sandbox";
import { root } from "./machine";

const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const plugin = `resource-kubernetes-v${devDependencies["@pulumi/kubernetes"]}`;

/** A stack of the example, whose app the plugin of @pulumi/kubernetes deploys or writes to files. */
async function boxOf(app: string, { skip }: TestContext): Promise<Sandbox> {
  const installed = existsSync(join(process.env.PULUMI_HOME ?? "", "plugins", plugin));
  skip(!installed, "the plugin of @pulumi/kubernetes is not installed, and could not be built");
  const box = await sandbox(
    { folder: join(root, "examples/kubernetes") },
    { env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } },
  );
  await box.stack.configure({ region: "us-east", domain: "example.org", app });
  return box;
}

test("the example kubernetes: a preview shows the app in the cluster", async (context) => {
  await using box = await boxOf("cluster", context);
  const { ops } = await box.stack.preview();
  expect(ops).toMatchObject({
    "LkeCluster apps": "create",
    "Namespace hello": "create",
    "Deployment hello": "create",
    "Service hello": "create",
    "DomainRecord hello": "create",
  });
});

test("the example kubernetes: up writes the app's manifests to a folder, and a second preview shows no changes", async (context) => {
  await using box = await boxOf("files", context);
  const { stack } = box;
  await stack.up();
  const files = globSync("manifests/**/*.yaml", { cwd: stack.dir });
  const manifests = files.map((file) => parse(readFileSync(join(stack.dir, file), "utf8")));
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(["Deployment", "Namespace", "Service"]);
  expect(manifests.find(({ kind }) => kind === "Service")).toMatchObject({
    metadata: { namespace: "hello" },
    spec: { type: "LoadBalancer", selector: { app: "hello" }, ports: [{ port: 80, targetPort: "http" }] },
  });
  await stack.preview(["--expect-no-changes"]);
  await stack.destroy();
  expect(box.holds()).toEqual({});
});
