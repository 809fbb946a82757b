import { type Api, connect } from "../../provider/client";
import { freshFolder, Project, print, remember, startEmulator, step } from "./stage";

/**
 * Runs the steps of `make demo`: a stack on the emulator is created, drifts, is corrected, is changed and is destroyed.
 */
async function main(): Promise<void> {
  // Two steps of the demo are previews. A preview in front of each update would print its lines twice.
  const yes = ["--yes", "--skip-preview"];
  const keep = Boolean(process.env.KEEP);
  const startedAt = Date.now();
  const folder = await freshFolder();

  step(
    1,
    "An emulated account",
    "The emulator runs the whole service on this machine. It needs no account and no network.",
  );
  const emulator = await startEmulator(folder);
  await remember(folder, emulator.process);
  const { api, close } = connect(emulator);
  try {
    const project = await Project.copy(folder);
    await project.quietly("stack", "init", "dev");
    await project.quietly("config", "set", "cloudinfra:url", emulator.url);
    await project.quietly("config", "set", "--secret", "cloudinfra:token", emulator.token);
    await project.quietly("config", "set", "--secret", "rootPass", "Correct-Horse-42");

    step(
      2,
      "Create the stack",
      "Two instances, a volume, a firewall, a domain with records and a Kubernetes cluster, in one program.",
    );
    await project.pulumi("up", ...yes);

    step(3, "Preview without changes", "The account matches the program, although the emulator shuffles every list.");
    await project.pulumi("preview", "--expect-no-changes");

    step(
      4,
      "Detect drift",
      "A label and a DNS record are changed through the API, outside Pulumi. A refresh reports both.",
    );
    await changeByHand(api);
    await project.pulumi("refresh", "--preview-only", "--diff");

    step(5, "Correct the drift", "The update restores the label and creates the record again. Nothing else changes.");
    await project.pulumi("up", ...yes, "--refresh");

    step(6, "Resize the volume", "The size changes in the program, and the volume grows in place.");
    await project.edit("  size: 20,\n", "  size: 40,\n");
    await project.pulumi("up", ...yes);

    step(7, "Preview a replacement", "A volume cannot change its region, so the preview shows a replacement.");
    await project.edit("  region,\n  size: 40,\n  computeId: primary.id,\n", '  region: "us-east",\n  size: 40,\n');
    await project.pulumi("preview", "--diff");

    if (keep) return await handOver(project, emulator.url);
    step(8, "Destroy the stack", "Everything is deleted in dependency order, and the account is empty.");
    await project.pulumi("destroy", ...yes);
    await checkEmpty(api);
    print(`Done in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  } finally {
    await close();
    if (keep) emulator.process.unref();
    else emulator.process.kill();
  }
}

async function changeByHand(api: Api): Promise<void> {
  const first = await firstOf(api.instances.list.all({}, { filter: { label: "web-2" } }));
  const zone = await firstOf(api.domains.list.all());
  const records = await Array.fromAsync(api.domainRecords.list.all({ path: { domainId: zone.id } }));
  const caa = records.find(({ type }) => type === "CAA");
  if (!caa) throw new Error("the demo program must declare a CAA record");
  await api.instances.update({ path: { computeId: first.id }, body: { label: "renamed-by-hand" } });
  await api.domainRecords.delete({ path: { domainId: zone.id, recordId: caa.id } });
  print('instance "web-2" was renamed to "renamed-by-hand"');
  print(`the CAA record of ${zone.domain} was deleted`);
  console.log();
}

/** Throws if the account still contains an object. */
async function checkEmpty(api: Api): Promise<void> {
  const lists = {
    instances: api.instances,
    volumes: api.volumes,
    firewalls: api.firewalls,
    domains: api.domains,
    clusters: api.lkeClusters,
  };
  const counts = await Promise.all(
    Object.entries(lists).map(async ([name, { list }]) => [name, (await list()).results] as const),
  );
  const left = counts.filter(([, count]) => count > 0);
  if (left.length)
    throw new Error(`the account still holds ${left.map(([name, count]) => `${count} ${name}`).join(", ")}`);
  console.log();
  print(`The account is empty: ${counts.map(([name, count]) => `${count} ${name}`).join(", ")}.`);
}

async function handOver(project: Project, url: string): Promise<void> {
  step(8, "Go on by hand", "The stack and the emulator keep running until the next demo replaces them.");
  print(`The emulator runs at ${url}.`);
  console.log(`
   . tools/setup/env.sh                      # Node, Pulumi and its passphrase
   export PULUMI_BACKEND_URL=${project.env.PULUMI_BACKEND_URL}
   cd ${project.dir}
   pulumi preview
   pulumi stack output kubeconfig --show-secrets
   pulumi destroy
   kill $(cat ../emulator.pid)               # the emulator
`);
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T> {
  for await (const one of all) return one;
  throw new Error("the demo program must declare an instance web-2 and a domain");
}

main().catch((error: Error) => {
  console.error(`\ndemo: ${error.message}`);
  process.exitCode = 1;
});
