import { packageFile } from "../../provider/client/version";
import type { TimeLimit } from "../../provider/pulumi/time-limit";
import { type Check, ok, problem, timedCheck } from "./check";
import { programAt, versionOf } from "./programs";
import { isInRange, rangeText } from "./versions";

/** The versions of Node.js and Pulumi that this package requires. */
export const required = ((): { node: string; pulumi: string } => {
  const { engines, peerDependencies } = JSON.parse(packageFile("package.json"));
  return { node: engines.node, pulumi: peerDependencies["@pulumi/pulumi"] };
})();

const INSTALL_PULUMI = "Install the Pulumi CLI (https://www.pulumi.com/docs/install/)";

/** The Pulumi CLI that the commands of this package run. They do not run scripts of Windows, which need a shell. */
export const pulumiCli = (platform: NodeJS.Platform = process.platform): string | undefined =>
  programAt(process.env.PULUMI_CLI || "pulumi", { platform, endings: [".com", ".exe"] });

export const toolChecks = (limit: TimeLimit): Promise<Check[]> => Promise.all([nodeCheck(limit), pulumiCheck(limit)]);

/** Checks the Node.js on PATH, because Pulumi starts programs and the plugin with it. */
function nodeCheck(limit: TimeLimit): Promise<Check> {
  const install = `Install Node.js ${rangeText(required.node)}, and put its folder first on PATH`;
  const program = programAt("node");
  if (!program) return Promise.resolve(problem("Node.js", "node is not on PATH, from which Pulumi starts it", install));
  return versionCheck("Node.js", { program, argument: "--version", range: required.node, install, limit });
}

function pulumiCheck(limit: TimeLimit): Promise<Check> {
  const named = process.env.PULUMI_CLI;
  const program = pulumiCli();
  if (program) {
    const install = `${INSTALL_PULUMI} ${rangeText(required.pulumi)}`;
    return versionCheck("Pulumi CLI", { program, argument: "version", range: required.pulumi, install, limit });
  }
  const missing = named ? `PULUMI_CLI names ${named}, which is not a program` : "pulumi is not on PATH";
  return Promise.resolve(problem("Pulumi CLI", missing, `${INSTALL_PULUMI}, or set PULUMI_CLI to its path`));
}

interface Installed {
  program: string;
  argument: string;
  range: string;
  install: string;
  limit: TimeLimit;
}

const versionCheck = (name: string, { program, argument, range, install, limit }: Installed): Promise<Check> =>
  timedCheck({ name, limit, fix: `Run "${program} ${argument}" to see why it does not end` }, async () => {
    const version = await limit.wait(name, (signal) => versionOf(program, argument, signal));
    const isSupported = isInRange(version ?? "", range);
    if (isSupported) return ok(name, `${version?.replace(/^v/, "")} at ${program}`);
    if (isSupported === false)
      return problem(name, `${version?.replace(/^v/, "")} at ${program}; must be ${rangeText(range)}`, install);
    return problem(name, `${program} does not print a version`, install);
  });
