import type { dynamic } from "@pulumi/pulumi";
import { wirePath } from "../../api";
import { check, create, destroy, migrated, plan, read, refresh, STATE_VERSION, update } from "../engine";
import { isEqual } from "../engine/comparison";
import type { Kind } from "../engine/definition";
import { type Diff, diff } from "../engine/diff";
import { InitFailed } from "../engine/errors";
import type { Host, LimitedOperation } from "../engine/host";
import { displayNameOf, pathOf } from "../engine/identity";
import { parseDuration, preparationMs } from "../engine/time-limits";
import { type Bag, declaredPaths, pick } from "../engine/values";
import {
  type AccountIdentity,
  AnotherAccountError,
  accountIn,
  accountOfLastUpdate,
  accountOfStack,
  accountText,
  accountToRecord,
  messageOnce,
  rejectInvalidToken,
  requireSameAccount,
  warnMoved,
} from "../pulumi/account";
import { type Adopted, adopt } from "../pulumi/adopt";
import { hostFor } from "../pulumi/connection";
import { shownFailures } from "../pulumi/failures";
import { knowsAccount, showAccount } from "../pulumi/new-stack";
import { noObject } from "../pulumi/not-found";
import { rejectedOldToken } from "../pulumi/old-token";
import {
  ACCOUNT,
  AUTONAMED,
  DECLARED,
  NAME,
  ownPropertiesIn,
  PROVIDER,
  pathsIn,
  placeholdersIn,
  TIMEOUTS,
  UNFINISHED,
  UNMET,
  UNSUPPORTED,
  uncertainIn,
  unfinishedMark,
  VERSION,
  withoutOwnProperties,
  withoutPlaceholders,
  withoutUndefined,
} from "../pulumi/own-properties";
import { declaredProperties, kindFor, propertyName, stateIn, toApiNames, toProgramNames } from "../pulumi/properties";
import { textOf } from "../pulumi/report";
import type { RawConfig } from "../pulumi/settings";
import {
  dropLostOutput,
  endWithPulumi,
  engineEnded,
  limitHeap,
  omitRepeatedErrors,
  printedOnce,
  rawOf,
  terminalMessages,
} from "./launcher";

/** An adopted object ({@link Adopted}) with the names that programs use. */
export interface AdoptedResource extends Omit<Adopted, "outs"> {
  outputs: Bag;
}

/**
 * The provider for Pulumi's dynamic resources. It only converts names and data structures: the functions that it calls
 * are shared with the native plugin.
 */
export class DynamicProvider implements dynamic.ResourceProvider {
  /**
   * Whether this command runs the program. Pulumi calls `check` only in such commands. In other commands, such as
   * `pulumi refresh`, Pulumi passes the configuration of the last update.
   */
  static #programRuns = false;
  readonly #kind: Kind;
  readonly #connect: typeof hostFor;
  readonly #showAccount: typeof showAccount;
  #config: RawConfig = {};
  /**
   * Ids of objects that a refresh has read. Pulumi then requests a diff of each of them to show drift, and no update
   * follows.
   */
  readonly #refreshed = new Set<string>();

  /**
   * `connect` creates the connection to the API for a provider configuration. Tests pass a function that connects to a
   * simulated service, and one that does not show the account.
   */
  constructor(kind: Kind, connect = hostFor, show = showAccount) {
    this.#kind = kind;
    this.#connect = connect;
    this.#showAccount = show;
  }

  /**
   * Stores the configuration before any other asynchronous work, because Pulumi calls the other methods without waiting
   * for this method.
   */
  async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    dropLostOutput();
    endWithPulumi();
    omitRepeatedErrors();
    limitHeap();
    this.#config = rawOf(config);
  }

  check(olds: Bag, news: Bag): Promise<dynamic.CheckResult> {
    DynamicProvider.#programRuns = true;
    return this.#withoutMessages(news, async (host) => {
      const { [NAME]: name, ...declared } = withoutPlaceholders(this.#kind, news);
      const recorded = accountIn(olds[ACCOUNT]);
      const ms = preparationMs(this.#kind, host, "check");
      const other = await requireSameAccount(host, recorded, { isChange: false, ms }).catch(anotherAccount);
      if (other) return { inputs: news, failures: [{ property: "", reason: messageOnce(host, other) }] };
      const account = await recordOf(host, ms, recorded);
      // State without an account's id means that the token may not read the account, so no request tries to.
      if (!recorded || recorded.id) await rejectInvalidToken(host, ms);
      warnMoved(host, recorded, accountIn(account[ACCOUNT]));
      if (recorded) knowsAccount(host);
      else if (!Object.keys(olds).length) await this.#showAccount(host, host.progress);
      const oldInputs = migrated(this.#kind, toApiNames(this.#kind, olds));
      const checked = await check(this.#kind, host, String(name ?? ""), oldInputs, toApiNames(this.#kind, declared));
      for (const warning of checked.warnings) host.warn(`${name ?? this.#kind.name}: ${warning}`);
      const inputs = { ...toProgramNames(this.#kind, checked.inputs), ...placeholdersIn(this.#kind, news) };
      // Pulumi shows all inputs that differ if any of them does, so the account changes only if it does so alone.
      const isAlone = !Object.keys(olds).length || isEqual(withoutOwnProperties(olds), withoutUndefined(inputs));
      const inState = isAlone ? account : pick(olds, [ACCOUNT]);
      return {
        inputs: withoutUndefined({
          ...inputs,
          ...ownPropertiesIn({ ...news, ...inState, [AUTONAMED]: checked.autonamed }),
        }),
        failures: shownFailures(this.#kind, declared, checked.failures),
      };
    });
  }

  diff(id: string, olds: Bag, news: Bag): Promise<dynamic.DiffResult> {
    return this.#withoutMessages(news, async (host) => {
      await this.#requireAccount(host, olds, "preview");
      const [state, want] = [stateIn(this.#kind, olds), this.#declaredInputs(news)];
      const refreshed = this.#refreshed.delete(id);
      const [autonamed, isUnfinished] = [news[AUTONAMED] === true, uncertainIn(olds) !== undefined];
      const checked = await plan(this.#kind, host, id, state, want, { autonamed, refreshed, isUnfinished });
      for (const warning of checked.warnings) host.warn(warning);
      // Pulumi shows only inputs that have changed in the program. If the object has changed instead, the differences
      // are printed here.
      const unsupported = this.#unsupportedIn(olds);
      const unchanged = [...(pathsIn(olds[UNMET]) ?? []), ...Object.keys(unsupported).map(this.#nameOf)];
      const isVisible =
        checked.changed.some((key) => !unchanged.includes(this.#nameOf(key))) ||
        // The program now declares another value. An update stores it even if the object already has it.
        Object.keys(unsupported).some((key) => !isEqual(unsupported[key], want[key]));
      // Deletions and refreshes use the time limits in state.
      const hasOtherLimits = !refreshed && !isEqual(limitsIn(olds), limitsIn(news));
      if (!isVisible && !refreshed && !checked.replaces.length)
        for (const { path, before = "not set", after = "not set" } of checked.changes)
          host.progress(`${nameIn(this.#kind, id, want)}: ${path}: ${before} → ${after}`);
      return this.#diffResult(checked, isVisible, (isUnfinished && !refreshed) || hasOtherLimits);
    });
  }

  /**
   * The response to a diff. If the program's inputs have changed, `changes` is omitted, so that Pulumi compares the
   * inputs itself, for its display and for options such as `replaceOnChanges`.
   */
  #diffResult(
    { changed, steps, replaces, deleteBeforeReplace }: Diff,
    isVisible: boolean,
    hasOtherChanges: boolean,
  ): dynamic.DiffResult {
    return {
      ...(isVisible ? {} : { changes: changed.length + steps.length > 0 || hasOtherChanges }),
      replaces: replaces.map((key) => this.#nameOf(key)),
      deleteBeforeReplace,
    };
  }

  create(news: Bag): Promise<dynamic.CreateResult> {
    return this.#withoutMessages(news, async (host) => {
      const ms = preparationMs(this.#kind, host, "create");
      await requireSameAccount(host, accountOfStack(host), { isChange: true, ms });
      const { id, outs } = await create(this.#kind, host, this.#declaredInputs(news));
      return { id, outs: this.#appliedInputs(outs, news) };
    });
  }

  read(id: string, props: Bag): Promise<dynamic.ReadResult> {
    const declared = this.#declaredIn(props[DECLARED]);
    const work = async (host: Host): Promise<dynamic.ReadResult> => {
      // A refresh removes an object that does not exist from the state, so it must not look in another account.
      if (declared) await this.#requireAccount(host, props, "read");
      const ms = preparationMs(this.#kind, host, "read");
      const account = declared ? await recordOf(host, ms, accountIn(props[ACCOUNT])) : {};
      const state = stateIn(this.#kind, props);
      const reading = declared
        ? refresh(this.#kind, host, id, state, declared, this.#unsupportedIn(props))
        : read(this.#kind, host, id, state);
      const checked = await reading.catch(rejectedOldToken);
      // State without outputs means that the program reads the object, and not a refresh.
      if (!checked && !declared && !Object.keys(state).length) throw noObject(this.#kind, id);
      if (!checked) return { id: "", props: {} };
      if (declared) this.#refreshed.add(id);
      const inputs = { ...toProgramNames(this.#kind, checked.inputs), ...ownPropertiesIn(props), ...account };
      // The format version in state is only updated for classes with `migrate`, whose format has changed. For other
      // classes, a new version would show as drift.
      const version = this.#kind.migrate ? STATE_VERSION : props[VERSION];
      return {
        id,
        props: { ...this.#outputs(checked.outs, inputs, [], declared, version), ...pick(props, [UNFINISHED]) },
        inputs: withoutUndefined(inputs),
      };
    };
    // State that contains no declared inputs means that the program reads an existing object by its id, as with
    // `Volume.get`. Pulumi calls `read` without an earlier `check` then, but the program is running.
    return this.#withoutMessages(props, work, DynamicProvider.#programRuns || !declared);
  }

  update(id: string, olds: Bag, news: Bag): Promise<dynamic.UpdateResult> {
    return this.#withoutMessages(news, async (host) => {
      await this.#requireAccount(host, olds, "update");
      const account = await recordOf(host, preparationMs(this.#kind, host, "update"), accountIn(olds[ACCOUNT]));
      const outs = await update(
        kindFor(this.#kind, news),
        host,
        id,
        stateIn(this.#kind, olds),
        this.#declaredInputs(news),
        { uncertain: uncertainIn(olds) },
      );
      return { outs: this.#appliedInputs(outs, { ...news, ...account }) };
    });
  }

  delete(id: string, props: Bag): Promise<void> {
    return this.#withoutMessages(props, async (host) => {
      await this.#requireAccount(host, props, "delete");
      await destroy(this.#kind, host, id, stateIn(this.#kind, props)).catch(rejectedOldToken);
    });
  }

  /**
   * Reads an existing object that is not in any state, and returns it as this provider stores it in state. Undefined if
   * the object does not exist.
   */
  adopt(name: string, id: string): Promise<AdoptedResource | undefined> {
    return this.#withoutMessages({}, async (host) => {
      const checked = await adopt(this.#kind, host, name, id);
      if (!checked) return undefined;
      const inputs = {
        ...toProgramNames(this.#kind, checked.inputs),
        ...(await recordOf(host, preparationMs(this.#kind, host, "read"))),
      };
      const names = (keys: readonly string[]) => keys.map((key) => this.#nameOf(key));
      return {
        id: checked.id,
        inputs: withoutUndefined(inputs),
        outputs: this.#appliedInputs(checked.outs, inputs),
        program: withoutUndefined(toProgramNames(this.#kind, checked.program)),
        withheld: names(checked.withheld),
        hidden: names(checked.hidden),
        differing: names(checked.differing),
        replacing: names(checked.replacing),
      };
    });
  }

  /**
   * The error by which Pulumi recognizes an object that exists but is unfinished. Pulumi adds the reference to this
   * provider to the outputs of a successful call, but not to the outputs in an error. The reference is added here,
   * because Pulumi could otherwise neither read nor delete the object.
   */
  #unfinished({ id, outs, uncertain }: InitFailed, message: string, news: Bag): Error {
    const mark = { [UNFINISHED]: unfinishedMark(uncertain) };
    const properties = { ...this.#appliedInputs(outs, news), ...mark, [PROVIDER]: news[PROVIDER] };
    return Object.assign(new Error(message), { id, properties, reasons: [message] });
  }

  /**
   * Throws an error if a resource in state belongs to another account. State without an account belongs to that of the
   * last update, whose configuration Pulumi passes to commands that do not run the program.
   */
  async #requireAccount(host: Host, stored: Bag, operation: "preview" | LimitedOperation): Promise<void> {
    const isRunning = DynamicProvider.#programRuns;
    const recorded = accountIn(stored[ACCOUNT]) ?? (isRunning ? undefined : accountOfLastUpdate(this.#config));
    const ms = preparationMs(this.#kind, host, operation);
    const required = requireSameAccount(host, recorded, { isChange: operation !== "preview", ms });
    await (isRunning ? required : required.catch(rejectedOldToken));
  }

  /** Converts the program's inputs to the names and types of the API. */
  #declaredInputs = (news: Bag): Bag => toApiNames(this.#kind, withoutPlaceholders(this.#kind, news));

  /** The declared values of the inputs that the last update could not apply, with the names of the API. */
  #unsupportedIn = (props: Bag): Bag => toApiNames(this.#kind, (props[UNSUPPORTED] ?? {}) as Bag);

  #nameOf = (key: string): string => propertyName(this.#kind, key);

  /** The outputs to store after an operation that has applied all or some of the inputs. */
  #appliedInputs(outs: Bag, news: Bag): Bag {
    return this.#outputs(outs, news, diff(this.#kind, outs, this.#declaredInputs(news)).changed);
  }

  #outputs(
    outs: Bag,
    news: Bag,
    unmet: readonly string[],
    stored?: readonly string[],
    version: unknown = STATE_VERSION,
  ): Bag {
    const inputs = this.#declaredInputs(news);
    const declared = stored ?? declaredPaths(this.#kind.inputs, inputs);
    const ownProperties = {
      ...declaredProperties(this.#kind, { outs, inputs, declared, unmet }),
      ...(version !== undefined && { [VERSION]: version }),
    };
    return withoutUndefined({ ...toProgramNames(this.#kind, outs), ...ownProperties, ...ownPropertiesIn(news) });
  }

  #declaredIn(text: unknown): string[] | undefined {
    return pathsIn(text)?.map((path) => wirePath(this.#kind.inputs, path));
  }

  /**
   * Runs a call and converts its errors. Pulumi prints the stack trace of an error only for some calls, so the message
   * must contain everything that the user needs.
   */
  async #withoutMessages<T>(
    props: Bag,
    work: (host: Host) => Promise<T>,
    fromProgram = DynamicProvider.#programRuns,
  ): Promise<T> {
    let host: Host | undefined;
    try {
      host = { ...this.#connect(this.#config, terminalMessages, fromProgram), abandoned: engineEnded };
      return await work(within(host, props[TIMEOUTS]));
    } catch (error) {
      const message = host && error instanceof AnotherAccountError ? messageOnce(host, error) : textOf(error);
      if (error instanceof InitFailed) throw this.#unfinished(error, message, props);
      throw printedOnce(error instanceof Error ? error : new Error(), message);
    }
  }
}

const nameIn = (kind: Kind, id: string, want: Bag): string => displayNameOf({ kind, path: pathOf(kind, id), want });

/** The declared time limits in milliseconds, which can be written in several ways: `10m` is `600s`. */
const limitsIn = (props: Bag): Bag =>
  Object.fromEntries(
    Object.entries((props[TIMEOUTS] ?? {}) as Record<string, string>).map(([key, text]) => [key, parseDuration(text)]),
  );

/**
 * The connection with the time limits that the program declares for this resource, which take precedence over the
 * stack's time limits.
 */
const within = (host: Host, limits: unknown): Host =>
  limits ? { ...host, limits: limits as NonNullable<Host["limits"]> } : host;

/** The property with the account to record in state. Empty if the account cannot be read at the moment. */
async function recordOf(host: Host, ms: number, recorded?: AccountIdentity): Promise<Bag> {
  const account = await accountToRecord(host, recorded, ms);
  return account ? { [ACCOUNT]: accountText(account) } : {};
}

function anotherAccount(error: unknown): AnotherAccountError {
  if (error instanceof AnotherAccountError) return error;
  throw error;
}
