import { AuthenticationError, UnreachableAccountError } from "../account/errors";
import { readEach } from "../account/reading";
import { counted } from "../api";
import { defaultsFor } from "../provider/client/environment";
import { ApiError, isTokenRejected } from "../provider/client/errors";
import type { Host } from "../provider/engine/host";
import { displayNameOf, pathOf } from "../provider/engine/identity";
import { read } from "../provider/engine/observe";
import { accountDescription, compareAccounts, currentAccount } from "../provider/pulumi/account";
import { connectionFor } from "../provider/pulumi/connection";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { urnParts } from "../provider/pulumi/urn";
import {
  type Access,
  differentObjectReason,
  type ProviderRows,
  providersNamed,
  recordedAccounts,
  withAccount,
} from "../stack/account";
import { type ConfigValue, completionOf, type Deployment, nameIn, rawConfig, rowsIn } from "../stack/deployment";
import { CommandError } from "../stack/errors";
import { pendingIn, resourceName } from "../stack/migration";
import { Pulumi } from "../stack/pulumi";
import { replaceState } from "../stack/replace";
import { type StateResource as Resource, stackStatesOf } from "../stack/state";
import { printMessage } from "./say";
import { uninterrupted } from "./uninterrupted";

export interface MoveOptions {
  stack?: string;
  project: string;
  backup?: string;
  providerName?: string;
  dryRun: boolean;
}

/**
 * Runs `cloudinfra migrate --account`: records in the state that the stack belongs to the account of the address and
 * token in use. Every object must exist there.
 */
export async function migrateToAccount(limit: TimeLimit, options: MoveOptions): Promise<void> {
  const pulumi = new Pulumi(options.project, options.stack, limit);
  const before = await pulumi.export();
  const moving = providersNamed(before, options.providerName);
  if (!moving.length) {
    const whose =
      options.providerName === undefined ? "in the default account" : `of a provider "${options.providerName}"`;
    return printMessage(`The stack has no resources ${whose}, so there is nothing to migrate.`);
  }
  // A provider that the program creates has its address and token there, and this command does not run the program.
  const config = options.providerName === undefined ? await pulumi.config() : {};
  const { host: unlimited, close } = connectionFor(rawConfig(config), { warn: printMessage, progress: printMessage });
  try {
    const host = limit.bound(unlimited);
    const current = await currentAccount(host);
    if (isTokenRejected(current.failure))
      throw new AuthenticationError(current.failure.operation, host.settingNames.token);
    if (current.failure) throw new UnreachableAccountError(limit.explain(current.failure), "nothing was migrated");
    const rows = moving.flatMap(({ resources }) => resources);
    const accountOf = recordedAccounts(rowsIn(before));
    const isHere = rows.every((row) => {
      const recorded = accountOf(row);
      return recorded && compareAccounts(recorded, current) === "same";
    });
    if (isHere)
      return printMessage(
        `The stack already belongs to ${accountDescription(current)}, so there is nothing to migrate.`,
      );
    await requireAll(before, moving, host, limit);
    const name = nameIn(before)?.stack ?? (await pulumi.name()).stack;
    const replacement = {
      before,
      after: withAccount(before, moving, current, accessTo(host, config)),
      stack: name,
      backup: options.backup,
      command: "migrate",
      nothing: "nothing was migrated",
      warn: printMessage,
    };
    if (!options.dryRun) printMessage(await uninterrupted(() => replaceState(pulumi, replacement)));
    for (const { urn, id } of rows)
      printMessage(`${options.dryRun ? "would migrate" : "migrated"} ${resourceName(urn)} (${id})`);
    if (!options.dryRun)
      printMessage(
        `The stack now belongs to ${accountDescription(current)}. Run "pulumi preview": it shows what differs there.`,
      );
  } finally {
    await close();
  }
}

function accessTo({ address }: Host, config: Readonly<Record<string, ConfigValue>>): Access {
  const { dialect, token } = defaultsFor(config["cloudinfra:dialect"]?.value);
  return { url: address, token: config["cloudinfra:token"]?.value ?? token ?? "", dialect };
}

/** Throws an error unless all objects of the providers' resources exist in the account, each as in the state. */
async function requireAll(
  state: Deployment,
  moving: readonly ProviderRows[],
  host: Host,
  limit: TimeLimit,
): Promise<void> {
  const urns = new Set(moving.flatMap(({ resources }) => resources.map(({ urn }) => urn)));
  const [stack] = stackStatesOf([{ name: "the stack", state }]);
  const { resources, unusable, holders } = stack ?? { resources: [], unusable: [], holders: [] };
  const silentHost = { ...host, warn: () => {} };
  const selected = resources.filter(({ urn }) => urns.has(urn));
  const checks = await readEach(selected, (resource) => problemOf(resource, silentHost), limit);
  const problemAt = new Map(checks.done.map(({ resource, result }) => [resource, result]));
  const problems = [
    ...pendingIn(state).map(
      (operation) =>
        `the last update was interrupted while ${operation.type} ${resourceName(operation.resource.urn)}. In the former account: ${completionOf(operation)}`,
    ),
    ...moving
      .filter(({ provider }) => provider.delete)
      .map(
        ({ provider: { urn }, resources }) =>
          `the provider "${urnParts(urn).name}" was replaced, but not yet for ${counted(resources.length, "resource")}: run "pulumi up" in the former account first`,
      ),
    ...holders
      .filter(({ relation, urn }) => relation === "deleting" && urns.has(urn))
      .map(
        ({ urn, kind, id }) =>
          `${kind} ${id} is to be deleted, because ${resourceName(urn)} was replaced: run "pulumi up" in the former account first`,
      ),
    ...unusable.map(({ address, reason }) => `${address}: ${reason}`),
    ...checks.unread.flatMap(({ resources, reason }) => resources.map((address) => `${address}: ${reason}`)),
    ...selected.flatMap((resource) => problemAt.get(resource) ?? []),
  ];
  if (!problems.length) return;
  const lines = problems.map((line) => `  ${line}`).join("\n");
  throw new CommandError(
    `nothing was migrated, because ${await host.account()} does not have all objects of the stack:\n${lines}\n` +
      "To create the objects there instead, run the program in a new stack.",
    1,
  );
}

/** The reason why the object of a resource is not in the account. Undefined if it is. */
async function problemOf({ kind, id, state, declared }: Resource, host: Host): Promise<string | undefined> {
  const name = displayNameOf({ kind, path: pathOf(kind, id), want: state });
  // Without its time of creation, so that this is that of the object.
  const { created: _, ...known } = state;
  const found = await read(kind, host, id, known, declared).catch((error: Error) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  if (!found) return `${name} does not exist`;
  const difference = differentObjectReason(kind, id, state, found.outs);
  return difference && `${name} is another object there: ${difference}`;
}
