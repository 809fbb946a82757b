import { type Declared, programOf, secretsOf } from "../import/declarations";
import { type AdoptedResource, DynamicProvider } from "../provider/dynamic/provider";
import type { Kind } from "../provider/engine/definition";
import { connectionFor } from "../provider/pulumi/connection";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { kinds } from "../provider/resources";
import { recordedAccounts, requireSameAccounts } from "../stack/account";
import { withAddress, writeAddress } from "../stack/address";
import { type ConfigValue, type Deployment, isNative, nameIn, rawConfig } from "../stack/deployment";
import { conflictsIn, withAdopted } from "../stack/edit";
import { CommandError, UsageError } from "../stack/errors";
import { Pulumi } from "../stack/pulumi";
import { replaceState } from "../stack/replace";
import { complaint, type Problem, type Wanted, wantedIn, wantedOf } from "./adopt/list";
import { say } from "./say";
import { withinLimit } from "./time-limit";

export interface AdoptOptions {
  stack?: string;
  project: string;
  file?: string;
  backup?: string;
  dryRun: boolean;
  timeout: string;
}

type Found = Declared & { resource: AdoptedResource };

/** Number of objects that are read at the same time. */
const AT_ONCE = 10;

/**
 * Runs `cloudinfra adopt`: adds existing objects to a stack's state, either all or none, and prints the program that
 * declares them.
 */
export function adopt(words: readonly string[], options: AdoptOptions): Promise<void> {
  return withinLimit(options.timeout, (limit) => adoptWithin(limit, words, options));
}

async function adoptWithin(limit: TimeLimit, words: readonly string[], options: AdoptOptions): Promise<void> {
  const { file, dryRun } = options;
  const wanted = await wantedFrom(words, file);
  const pulumi = new Pulumi(options.project, options.stack, limit);
  const state = await pulumi.export();
  if (isNative(state))
    throw new CommandError(
      "nothing was adopted, because adopt adds dynamic resources, and this stack has resources of the native plugin: " +
        'run "pulumi import cloudinfra:index:KIND NAME ID", or first "cloudinfra migrate --to dynamic"',
      1,
    );
  refuse(conflicts(state, wanted), file);
  const config = await pulumi.config();
  const { found, address } = await read(wanted, { config, state, file, limit });
  const name = nameIn(state) ?? (await pulumi.name());
  const extended = withAdopted(state, name, withAddress(config, address), found);
  if (!dryRun) {
    say(
      await replaceState(pulumi, {
        before: state,
        after: extended,
        stack: name.stack,
        backup: options.backup,
        command: "adopt",
        nothing: "nothing was adopted",
      }),
    );
    const written = await writeAddress(pulumi, config, address);
    if (written) say(written);
  }
  process.stdout.write(programOf(found));
  report(found, dryRun);
}

async function wantedFrom(words: readonly string[], file: string | undefined): Promise<Wanted[]> {
  if (file !== undefined && words.length)
    throw new UsageError("KIND, NAME and ID cannot be combined with --file, which lists the objects");
  if (file !== undefined) return wantedIn(file);
  const [kind, name, id, ...more] = words;
  if (kind === undefined || name === undefined || id === undefined || more.length)
    throw new UsageError("adopt takes KIND NAME ID, such as Volume data 640144, or --file");
  return wantedOf(kind, name, id);
}

function conflicts(state: Deployment, wanted: readonly Wanted[]): Problem[] {
  const conflictOf = conflictsIn(state);
  return wanted.flatMap((object) => {
    const message = conflictOf(object);
    return message === undefined ? [] : [{ line: object.line, message: `${called(object)}: ${message}` }];
  });
}

function refuse(problems: readonly Problem[], file: string | undefined): void {
  if (problems.length) throw new CommandError(complaint(problems, file), 1);
}

/** The stack to which objects are added. */
interface Target {
  config: Readonly<Record<string, ConfigValue>>;
  state: Deployment;
  file: string | undefined;
  limit: TimeLimit;
}

/** Reads all objects. If an object cannot be read, the remaining objects are still checked. */
async function read(
  wanted: readonly Wanted[],
  { config, state, file, limit }: Target,
): Promise<{ found: Found[]; address: string }> {
  const { host: unlimited, close } = connectionFor(rawConfig(config), { warn: say, progress: say });
  const host = limit.bound(unlimited);
  const problems: Problem[] = [];
  const look = async (object: Wanted): Promise<Found[]> => {
    const complain = (reason: string) => {
      problems.push({ line: object.line, message: `${called(object)}: ${reason}` });
      return [];
    };
    try {
      const provider = new DynamicProvider(kinds[object.kind] as Kind, () => host);
      const resource = await provider.adopt(object.name, object.id);
      return resource ? [{ ...object, resource }] : complain("does not exist");
    } catch (error) {
      return complain(limit.explain(error as Error).message);
    }
  };
  try {
    const rows = state.deployment.resources ?? [];
    await requireSameAccounts(host, rows.map(recordedAccounts(rows)));
    const found: Found[] = [];
    for (let from = 0; from < wanted.length; from += AT_ONCE)
      found.push(...(await Promise.all(wanted.slice(from, from + AT_ONCE).map(look))).flat());
    refuse(problems, file);
    return { found, address: host.address };
  } finally {
    await close();
  }
}

function report(found: readonly Found[], dryRun: boolean): void {
  for (const { resource, kind, name } of found) {
    const object = called({ kind, name, id: resource.id });
    say(`${dryRun ? "would adopt" : "adopted"} ${object}`);
    if (resource.differing.length) say(`warning: ${object}: the next update changes ${resource.differing.join(", ")}`);
  }
  const secrets = secretsOf(found);
  if (secrets.length)
    say("Set the secrets that the API does not return. They are not used as long as ignoreChanges lists their inputs:");
  for (const { key } of secrets) say(`  pulumi config set --secret ${key}`);
  if (!dryRun) say('Add this program to your project and run "pulumi preview" before you remove "protect".');
}

const called = ({ kind, name, id }: Wanted): string => `${kind} "${name}" (${id})`;
