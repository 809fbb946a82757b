import { type Api, connect } from "../../provider/client";
import { freshFolder, Project, remember, say, startEmulator, step } from "./stage";

/** What `make demo` shows: a stack comes up on the emulated service, changes, is changed behind its back, and goes. */
async function main(): Promise<void> {
  const keep = Boolean(process.env.KEEP);
  const began = Date.now();
  const folder = await freshFolder();

  step(1, "An account to play with", "The emulator is the whole service on this machine: no account, no network.");
  const emulator = await startEmulator(folder);
  await remember(folder, emulator.process);
  const { api, close } = connect(emulator);
  try {
    const project = await Project.copy(folder);
    await project.quietly("stack", "init", "dev");
    await project.quietly("config", "set", "cloudinfra:url", emulator.url);
    await project.quietly("config", "set", "--secret", "cloudinfra:token", emulator.token);
    await project.quietly("config", "set", "--secret", "rootPass", "Correct-Horse-42");

    step(2, "Up", "Two servers, a volume, a firewall, a domain with records and a Kubernetes cluster: one program.");
    await project.pulumi("up", "--yes", "--skip-preview");

    step(3, "Nothing to do", "What is there is what the program says, though the emulator shuffles every list.");
    await project.pulumi("preview", "--expect-no-changes");

    step(4, "Somebody changes things by hand", "A label and a DNS record, through the API: refresh finds both.");
    await changeByHand(api);
    await project.pulumi("refresh", "--preview-only", "--diff");

    step(5, "The program puts it right", "The label goes back, the record is made again, nothing else is touched.");
    await project.pulumi("up", "--yes", "--skip-preview", "--refresh");

    step(6, "The volume grows", "An edit of the program, in place: nothing is replaced.");
    await project.edit("  size: 20,\n", "  size: 40,\n");
    await project.pulumi("up", "--yes", "--skip-preview");

    step(7, "The volume moves", "A volume cannot leave its region: the preview says that it would be a new one.");
    await project.edit("  region,\n  size: 40,\n  computeId: primary.id,\n", '  region: "us-east",\n  size: 40,\n');
    await project.pulumi("preview", "--diff");

    if (keep) return await handOver(project, emulator.url);
    step(8, "Down", "Everything goes, in the right order, and the account is empty.");
    await project.pulumi("destroy", "--yes", "--skip-preview");
    await tellWhatIsLeft(api);
    say(`Done in ${Math.round((Date.now() - began) / 1000)} s.`);
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
  if (!caa) throw new Error("the example makes a CAA record");
  await api.instances.update({ path: { computeId: first.id }, body: { label: "renamed-by-hand" } });
  await api.domainRecords.delete({ path: { domainId: zone.id, recordId: caa.id } });
  say('instance "web-2" is now called "renamed-by-hand"');
  say(`the CAA record of ${zone.domain} is deleted`);
  console.log();
}

/** Counts what the account holds; anything left is a failure of the demo. */
async function tellWhatIsLeft(api: Api): Promise<void> {
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
  say(`The account is empty: ${counts.map(([name, count]) => `${count} ${name}`).join(", ")}.`);
}

async function handOver(project: Project, url: string): Promise<void> {
  step(8, "Yours", "The stack and the emulator stay; another demo replaces them.");
  say(`The emulator runs at ${url}. Go on by hand:`);
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
  throw new Error("the example makes it");
}

main().catch((error: Error) => {
  console.error(`\ndemo: ${error.message}`);
  process.exitCode = 1;
});
