import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { go, python } from "../../tools/install";

const folder = join(dirname(require.resolve("pulumi-cloudinfra/package.json")), "test/clients");

/** The command that runs the tests of a client. It prints results as `go test -json` does: one JSON object per line. */
export interface Tests {
  command: readonly [command: string, ...args: string[]];
  env?: Record<string, string>;
}

/** A published client of the public service, which runs unchanged against the emulator. */
export interface Client {
  name: string;
  version: string;
  /** The subjects of its tests, for the page. */
  does: string;
  /** The folder with the tests. */
  at: string;
  /** Names of the test files, if the folder also has tests of other clients. */
  files?: string;
  /** Installs the client. */
  install(): Promise<Tests>;
}

/** The version that a file with pinned versions has for a package. */
function pinned(path: string, name: string): string {
  const [, version] = new RegExp(`${name}(?:==| v)(\\S+)`).exec(readFileSync(join(folder, path), "utf8")) ?? [];
  if (version === undefined) throw new Error(`${path} has no version of ${name}`);
  return version;
}

const everything =
  "instances with disks, configs, clones, rebuilds and backups; volumes; domains with records; firewalls with devices; load balancers with configs and nodes; clusters with pools; keys of object storage; events, pages, filters and errors";

const pythonClient = (requirements: string): Client => ({
  name: "linode_api4 (Python)",
  version: pinned(`python/${requirements}`, "linode_api4"),
  does: everything,
  at: join(folder, "python"),
  install: async () => ({
    command: [await python(join(folder, "python", requirements)), "-B", "-u", join(folder, "python/run.py")],
  }),
});

/** Before version 1.5, the client took the delay between its polls in milliseconds, and since then in nanoseconds. */
const goClient = (modules: string, pollDelay: number): Client => ({
  name: "linodego (Go)",
  version: pinned(`go/${modules}`, "github.com/linode/linodego"),
  does: everything,
  at: join(folder, "go"),
  install: async () => ({
    command: [await go(join(folder, "go"), modules), "test", `-modfile=${modules}`, "-json", "-count=1", "./..."],
    env: { CLIENTS_POLL_DELAY: String(pollDelay) },
  }),
});

const tool = (name: string, pip: string, files: string, does: string): Client => ({
  name,
  version: pinned("tools/requirements.txt", pip),
  does,
  at: join(folder, "tools"),
  files,
  install: async () => ({
    command: [await python(join(folder, "tools/requirements.txt")), "-B", "-u", join(folder, "python/run.py"), files],
    // Some clients read and write configuration files in the home folder.
    env: { CLIENTS_HOME: mkdtempSync(join(tmpdir(), "clients-")) },
  }),
});

export const clients: readonly Client[] = [
  pythonClient("requirements.txt"),
  pythonClient("requirements-newest.txt"),
  goClient("go.mod", 100),
  goClient("newest.mod", 100_000_000),
  tool(
    "linode-cli",
    "linode-cli",
    "test_linode_cli.py",
    "instances with disks and configs; volumes; domains with records; firewalls with devices; load balancers with configs and nodes; clusters with pools; keys of object storage",
  ),
  tool("boto3 (S3)", "boto3", "test_boto3.py", "buckets, objects, lists page by page, signed URLs"),
  tool(
    "kubernetes (Python)",
    "kubernetes",
    "test_kubernetes.py",
    "the kubeconfig of a cluster is read; no request is sent to the cluster, because the emulator runs none",
  ),
];

/** Clients of the public service that could not be run here, with the reason. */
export const absent: readonly { name: string; version: string; why: string }[] = [
  {
    name: "Terraform provider `linode/linode`",
    version: "3.x",
    why: "Its Go module is not in the module proxy that the tests can reach, and its builds are only on GitHub and registry.terraform.io. The operations of 4.108.1 that it calls are those that `linodego` calls, on which it is built.",
  },
  {
    name: "`@pulumi/linode`",
    version: "5.1.1",
    why: "The npm package contains no plugin. The plugin is built from the Terraform provider, and its builds are only on GitHub.",
  },
  {
    name: "Ansible collection `linode.cloud`",
    version: "0.40",
    why: "It is only on Ansible Galaxy. The module `community.general.linode_v4`, which is on PyPI, has no option for the address of the API.",
  },
];
