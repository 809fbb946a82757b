import { describe, expect, test } from "vitest";
import { camel, fieldsOf, HIDDEN, holdsSecret, isObject, valueTypeOf } from "../../api";
import { type DriftReport, detectDrift, exitCodeOf, inBucket } from "../../drift";
import { isEqual } from "../../provider/engine/comparison";
import { inputSchema } from "../../provider/engine/definition";
import { isReturned } from "../../provider/engine/observe";
import type { KindName } from "../../provider/resources";
import { Managed, type State } from "../../testing/provider";
import { exported } from "./exported";
import {
  type AnyEdit,
  type AnyManaged,
  definition,
  expected,
  inputsAround,
  inputsOf,
  isApplied,
  keyOf,
  names,
  onEachEdit,
  type Scenario,
  scenario,
} from "./scenario";

const providers = ["dynamic", "native"] as const;

describe.each(names)("%s", (name) => {
  test("a new object shows no drift, however often the account is read", async () => {
    await using it = await scenario(name, { shuffle: true });
    await it.managed.up(it.fixture.base);
    for (let times = 0; times < 10; times++) {
      it.emulator.advance(3_600_000);
      for (const provider of providers) {
        const report = await checked(it, it.managed.state as State, provider);
        expect(report.findings, advice(report)).toEqual([]);
        expect(exitCodeOf(report)).toBe(0);
      }
    }
  });

  test("a deleted object is reported once", async () => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    if (it.fixture.remove === null) return expect((await checked(it, it.managed.state as State)).findings).toEqual([]);
    await it.remove();
    for (const provider of providers) {
      const report = await checked(it, it.managed.state as State, provider);
      expect(report.findings).toMatchObject([{ type: "deleted", bucket: "drift", address: `shop/dev/${name}/thing` }]);
      expect(exitCodeOf(report)).toBe(2);
    }
  });

  test.each(inputsOf(name).filter((input) => !isSecret(name, input)))(
    "a change of %s outside is reported until it is changed back",
    (input) => onEachEdit(name, input, (it, edit) => changeOutside(it, input, edit)),
  );
});

const advice = ({ findings }: DriftReport): string =>
  findings.some(({ type }) => type === "deleted")
    ? `\`get\` or \`extend\` of the definition returned undefined for an existing object. In the state that a drift check has, secret outputs are "${HIDDEN}" and secret inputs are missing`
    : "findings for a new object";

const isSecret = (name: KindName, input: string): boolean => {
  const fields = fieldsOf(definition(name).inputs);
  const [, field] = Object.entries(fields).find(([key]) => camel(key) === input) ?? [];
  return field !== undefined && holdsSecret(field);
};

/**
 * The values that the account has for inputs before the program declares them. State does not contain these inputs
 * until then.
 */
const initial: Readonly<Record<string, unknown>> = { "ObjectStorageBucket.corsEnabled": false };

/**
 * Declares the input, changes it in the account through a second resource that manages the same object, and reverts
 * the change in the same way.
 */
async function changeOutside(it: Scenario, input: string, edit: AnyEdit): Promise<void> {
  const name = it.kind.name as KindName;
  const { before, after } = inputsAround(it.fixture, input, edit);
  await it.managed.up(before);
  const old = it.managed.outs[input] ?? initial[`${name}.${input}`] ?? null;
  const isDeclared = before[input] !== undefined;
  if (!isDeclared) await it.managed.up(after);
  const state = it.managed.state as State;
  const outside = new Managed(name, it.reconnect()) as AnyManaged;
  outside.state = state;
  const [changed, restored] = isDeclared ? [after, before] : [{ ...before, [input]: old }, after];
  if (await isRejected(outside.up(changed))) return;
  for (const provider of providers) {
    const report = await checked(it, state, provider);
    const drift = inBucket(report, "drift").map(({ type, path = "" }) => (type === "deleted" ? type : path));
    expect(new Set(drift).size, "each path once").toBe(drift.length);
    const inputs = new Set(drift.map((path) => path.split("/")[1] ?? path));
    const along = Object.keys(edit.along ?? {});
    // Whether the output changes together with a secret input, for example the fingerprint of a private key's
    // certificate. The secret inputs themselves are not compared.
    const isRevealing = (key: string) => along.some((other) => isSecret(name, other)) && !inputsOf(name).includes(key);
    const own = [...inputs].filter((key) => !along.includes(key) && !isRevealing(key));
    if (outside.id !== state.id) expectReplaced(it, drift);
    else if (!isSeen(it, input, edit)) expect(own).toEqual([]);
    else if (touches(it, input, restored[input], changed[input])) expect(own).toEqual([input]);
    else expect([[], [input]]).toContainEqual(own);
    expect(exitCodeOf(report)).toBe(drift.length ? 2 : 0);
  }
  if (outside.id !== state.id || (await isRejected(outside.up(restored))) || outside.id !== state.id) return;
  // The reverted node pool was deleted and created again, so it has another id.
  if (input === "pools") return;
  for (const provider of providers) {
    const again = await checked(it, state, provider);
    expect(inBucket(again, "drift")).toEqual([]);
    expect(exitCodeOf(again)).toBe(0);
  }
}

/** Whether the provider rejects reverting a change, because the API cannot undo it. */
const isRejected = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  );

/**
 * Expects that the drift check reports an object as deleted that was replaced outside Pulumi. Checks nothing for
 * resource classes whose objects still exist after the resource is deleted.
 */
function expectReplaced({ kind }: Scenario, drift: readonly string[]): void {
  const { run, retained } = kind.delete ?? {};
  if (run !== "none" && retained === undefined) expect(drift).toEqual(["deleted"]);
}

/**
 * Inputs whose change outside Pulumi is not reported as drift: `isDefault: false` accepts any value in the account, and
 * the API does not return the version of a client's secret.
 */
const unseen = ["PaymentMethod.isDefault", "OAuthClient.secretVersion"];

/** Whether the API returns the changed input, so that a change outside Pulumi must be reported as drift. */
function isSeen({ kind }: Scenario, input: string, edit: AnyEdit): boolean {
  const [meaning, key] = [expected(kind.name as KindName, input, edit), keyOf({ kind }, input)];
  return isApplied(meaning) && meaning.length > 0 && isReturned(kind, key) && !unseen.includes(`${kind.name}.${input}`);
}

/**
 * Whether a change outside Pulumi affects the declared part of an input. A missing entry of a map is a change. A
 * missing field of an object is not, because the program does not manage omitted fields.
 */
function touches({ kind }: Scenario, input: string, declared: unknown, changed: unknown): boolean {
  if (!isObject(declared) || !isObject(changed)) return !isEqual(declared, changed);
  const isMap = valueTypeOf(inputSchema(kind, keyOf({ kind }, input))) !== undefined;
  return Object.entries(declared).some(([key, value]) => (key in changed ? !isEqual(value, changed[key]) : isMap));
}

async function checked(
  it: Scenario,
  state: State,
  provider: (typeof providers)[number] = "dynamic",
): Promise<DriftReport> {
  const kind = it.kind.name as KindName;
  const account = { host: it.reconnect() };
  it.emulator.settle();
  it.emulator.requests.clear();
  const report = await detectDrift({ states: [exported([{ kind, ...state }], { provider })], account });
  expect(it.emulator.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(report.unread).toEqual([]);
  expect(report.coverage).toMatchObject({ resources: 1, checked: 1 });
  return report;
}
