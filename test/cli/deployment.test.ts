import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Missing, python } from "../../tools/install";
import { newFolder } from "../folder";
import { checked, documentsIn, folder, read, unitOf } from "./deployment";

const root = join(__dirname, "../..");
const place = newFolder();

describe("the systemd unit", () => {
  const unit = "cloudinfra-drift.service";
  const installed = join(place, unit);
  let version = 0;

  beforeAll(async () => {
    // `systemd-analyze` requires that the command exists. The units of the machine are not read.
    writeFileSync(installed, read(unit).replace("/usr/local/bin/cloudinfra", process.execPath));
    const { output } = await checked("systemd-analyze", ["--version"]);
    version = Number(/^systemd (\d+)/.exec(output)?.[1] ?? 0);
  });

  test("is accepted by systemd-analyze without a warning", async ({ skip }) => {
    if (version === 0) skip("systemd-analyze is not installed");
    expect(await checked("systemd-analyze", ["verify", installed])).toEqual({ code: 0, output: "" });
    const wrong = join(place, "wrong.service");
    writeFileSync(wrong, read(unit).replace("RestartSec=30", "RestartSeconds=30"));
    expect((await checked("systemd-analyze", ["verify", wrong])).output).toMatch(
      /Unknown key (name )?'RestartSeconds'/,
    );
  });

  test("runs with the fewest rights: its exposure level is at most 2 of 10", async ({ skip }) => {
    if (version < 250) skip("systemd-analyze cannot rate units offline");
    const { code, output } = await checked("systemd-analyze", [
      "security",
      "--offline=true",
      "--threshold=20",
      installed,
    ]);
    expect(output).toContain("Overall exposure level for cloudinfra-drift.service");
    expect(code).toBe(0);
  });

  test("has more time to stop than the service takes, keeps the token in a file, and gives up on a wrong option", () => {
    const { EnvironmentFile, Environment, TimeoutStopSec, KillMode, Restart, StartLimitBurst, DynamicUser } = unitOf(
      read(unit),
    );
    expect({ EnvironmentFile, KillMode, Restart, StartLimitBurst, DynamicUser }).toEqual({
      EnvironmentFile: ["/etc/cloudinfra/drift.env"],
      KillMode: ["mixed"],
      Restart: ["on-failure"],
      StartLimitBurst: ["5"],
      DynamicUser: ["yes"],
    });
    expect(Environment?.join()).not.toContain("TOKEN");
    expect(Number(TimeoutStopSec?.[0])).toBeGreaterThanOrEqual(30);
  });
});

describe("files with a schema", () => {
  let bin = "";
  let missing = "";

  beforeAll(async () => {
    try {
      bin = join(await python(join(root, "tools/workflows/requirements.txt")), "..");
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      missing = error.message;
    }
  }, 300_000);

  const command = (name: string) => join(bin, name);
  const changed = (file: string, text: string): string => {
    const path = join(place, "changed", file);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    return path;
  };

  test("the Kubernetes objects have the fields of Kubernetes' schemas, and no others", async ({ skip }) => {
    if (missing) skip(missing);
    const validate = (file: string) => checked(command("kubernetes-validate"), ["--strict", file]);
    const { code, output } = await validate(join(folder, "kubernetes.yaml"));
    expect(output).toContain("passed for resource deployment/cloudinfra-drift");
    expect(output).toContain("passed for resource service/cloudinfra-drift");
    expect(code).toBe(0);
    const wrong = await validate(changed("kubernetes.yaml", read("kubernetes.yaml").replace("fsGroup", "fsGroups")));
    expect(wrong.output).toContain("'fsGroups' was unexpected");
  });

  test("so do the objects next to the stack of the Pulumi Kubernetes Operator", async ({ skip }) => {
    if (missing) skip(missing);
    const [account = "", binding = ""] = read("pulumi-operator.yaml").split("---\n");
    const file = changed("operator.yaml", `${account}---\n${binding}`);
    const { code, output } = await checked(command("kubernetes-validate"), ["--strict", file]);
    expect(output).toContain("passed for resource serviceaccount/shop-prod");
    expect(output).toContain("passed for resource clusterrolebinding/shop-prod:system:auth-delegator");
    expect(code).toBe(0);
  });

  test("the job for GitLab has the fields of GitLab's schema", async ({ skip }) => {
    if (missing) skip(missing);
    const validate = (file: string) =>
      checked(command("check-jsonschema"), ["--builtin-schema", "vendor.gitlab-ci", "--color=never", file]);
    const job = join(root, "examples/ci/gitlab-drift.yml");
    expect(await validate(job)).toEqual({ code: 0, output: "ok -- validation done\n" });
    const text = readFileSync(job, "utf8").replace("when: always", "when: sometimes");
    expect((await validate(changed("gitlab-drift.yml", text))).output).toContain("'sometimes' is not one of");
  });

  test("the Compose file has the fields of the Compose specification", async ({ skip }) => {
    if (missing) skip(missing);
    const validate = (file: string) =>
      checked(command("check-jsonschema"), ["--builtin-schema", "vendor.compose-spec", "--color=never", file]);
    expect(await validate(join(folder, "compose.yaml"))).toEqual({ code: 0, output: "ok -- validation done\n" });
    const text = read("compose.yaml").replace("stop_grace_period", "stop_grace");
    expect((await validate(changed("compose.yaml", text))).output).toContain("'stop_grace' was unexpected");
  });

  test("hadolint accepts the Dockerfile", async ({ skip }) => {
    if (missing) skip(missing);
    const hadolint = (file: string) => checked(command("hadolint"), ["--no-color", file]);
    expect(await hadolint(join(folder, "Dockerfile"))).toEqual({ code: 0, output: "" });
    const text = read("Dockerfile").replace("--yes ", "");
    expect((await hadolint(changed("Dockerfile", text))).output).toContain("DL3014");
  });
});

interface Deployment {
  spec: { replicas: number; template: { spec: PodSpec } };
}

interface PodSpec {
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: { runAsNonRoot: boolean };
  containers: [
    {
      image: string;
      args: string[];
      envFrom: unknown;
      securityContext: Record<string, unknown>;
      [probe: string]: unknown;
    },
  ];
}

test("the Kubernetes pod cannot write to its image, has no rights, reads its settings from a secret, and has time to stop", () => {
  const [{ spec }] = documentsIn<Deployment>(read("kubernetes.yaml")) as [Deployment];
  const { containers, ...pod } = spec.template.spec;
  expect(spec.replicas).toBe(1);
  expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
  expect(containers).toHaveLength(1);
  expect(containers[0]).toMatchObject({
    envFrom: [{ secretRef: { name: "cloudinfra-drift" } }],
    readinessProbe: { httpGet: { path: "/healthz", port: "metrics" } },
    livenessProbe: { httpGet: { path: "/livez", port: "metrics" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
  });
});

/** A value from a key of a Kubernetes secret, as the operator refers to it. */
const SecretValue = z.strictObject({
  type: z.literal("Secret"),
  secret: z.strictObject({ name: z.literal("shop-prod"), key: z.string() }),
});

/**
 * The fields of the operator's custom resource that the example uses, with their types. They are written by hand from the
 * resource definition of version 2, which is in no package registry.
 */
const Stack = z.strictObject({
  apiVersion: z.literal("pulumi.com/v1"),
  kind: z.literal("Stack"),
  metadata: z.strictObject({ name: z.literal("shop-prod") }),
  spec: z.strictObject({
    serviceAccountName: z.literal("shop-prod"),
    stack: z.string().regex(/^[\w-]+\/[\w-]+\/[\w-]+$/),
    projectRepo: z.url(),
    branch: z.string(),
    shallow: z.boolean(),
    refresh: z.literal(true),
    continueResyncOnCommitMatch: z.literal(true),
    resyncFrequencySeconds: z.int().min(60),
    destroyOnFinalize: z.literal(false),
    envRefs: z.record(z.string(), SecretValue),
    workspaceTemplate: z.strictObject({
      spec: z.strictObject({
        image: z.string(),
        securityProfile: z.enum(["baseline", "restricted"]),
        resources: z.strictObject({ requests: z.object({}), limits: z.object({}) }),
      }),
    }),
  }),
});

test("the stack of the Pulumi Kubernetes Operator has fields of its resource definition, and reverts drift without destroying", () => {
  const [account, binding, stack] = documentsIn<{ metadata: { name: string } }>(read("pulumi-operator.yaml"));
  expect(account).toMatchObject({ kind: "ServiceAccount", metadata: { name: "shop-prod" } });
  expect(binding).toMatchObject({
    kind: "ClusterRoleBinding",
    roleRef: { name: "system:auth-delegator" },
    subjects: [{ kind: "ServiceAccount", name: "shop-prod" }],
  });
  const { spec } = Stack.parse(stack);
  expect(Object.entries(spec.envRefs).map(([variable, { secret }]) => [variable, secret.key])).toEqual([
    ["CLOUDINFRA_URL", "CLOUDINFRA_URL"],
    ["CLOUDINFRA_TOKEN", "CLOUDINFRA_TOKEN"],
    ["PULUMI_ACCESS_TOKEN", "PULUMI_ACCESS_TOKEN"],
  ]);
  const [{ spec: pod }] = documentsIn<Deployment>(read("kubernetes.yaml")) as [Deployment];
  expect(spec.workspaceTemplate.spec.image).toBe(pod.template.spec.containers[0].image);
});

interface Services {
  services: Record<
    string,
    { network_mode: string; ports?: unknown; build: { target: string }; [key: string]: unknown }
  >;
}

test("the services of the Compose file share the loopback address of this machine, and have no rights", () => {
  const [{ services }] = documentsIn<Services>(read("compose.yaml")) as [Services];
  expect(Object.entries(services).map(([name, { build }]) => [name, build.target])).toEqual([
    ["emulator", "emulator"],
    ["drift", "cloudinfra"],
  ]);
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({ network_mode: "host", read_only: true, cap_drop: ["ALL"] });
    expect(service.ports).toBeUndefined();
  }
});
