import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EventAction } from "../../../api";
import { areas as modules } from "../../../emulator/areas";
import { kinds } from "../../../provider/resources";
import { silent } from "../../../tools/generate/coverage";
import { withoutKind } from "../../../tools/generate/kind-calls";
import { areas } from "../../../tools/generate/operations";

const root = join(__dirname, "../../..");
const operations = areas.flatMap(({ all }) => all);

const sources = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(root, folder, file), "utf8"))
    .join("\n");

test("the contract has all operations of the service, and no two with the same method and path", () => {
  const paths = operations.map(({ operation: { method, path } }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toHaveLength(230);
});

test("every operation has a handler, and every handler is implemented", () => {
  for (const { name, area, key } of operations) {
    const { handlers } = modules[area as keyof typeof modules] as { handlers: Readonly<Record<string, unknown>> };
    expect(handlers[key], name).toBeTypeOf("function");
  }
  expect(sources("emulator")).not.toMatch(/not (yet )?(emulated|implemented|supported yet)|TODO|FIXME/i);
});

/**
 * Write operations that cause no entry in the account's event log. The list ensures that a new operation does not lack
 * its event by mistake.
 */
const quiet = [
  "account.addPromoCredit",
  "account.cancel",
  "events.markRead",
  "events.markSeen",
  /^lke(Clusters|Nodes|Pools)\./,
  /^managed(ComputeSettings|Contacts|Credentials)\./,
  "managedServices.update",
  "networkingIps.share",
  /^objectStorage/,
  "paymentMethods.delete",
  "paymentMethods.makeDefault",
  "payments.stageExternal",
];

test("every write without an event is missing in the service's list of actions", () => {
  const unexpected = silent().filter(
    ({ name }) => !quiet.some((known) => (typeof known === "string" ? known === name : known.test(name))),
  );
  expect(unexpected.map(({ name }) => name)).toEqual([]);
});

/**
 * Event actions that the emulator never reports, because they belong to parts of the service that it does not
 * implement.
 */
const elsewhere =
  /^(community|longviewclient|profile|stackscript|ticket|tfa|token|user|user_ssh_key)_|^(account_settings_update|lish_boot)$/;

test("every other action is caused by an operation or by a listed event", () => {
  const emulator = sources("emulator");
  const promised = new Set(operations.map(({ operation }) => operation.event));
  const lost = EventAction.options.filter(
    (action) => !promised.has(action) && !emulator.includes(`"${action}"`) && !elsewhere.test(action),
  );
  expect(lost).toEqual([]);
});

test("the page lists the writes that no kind calls", () => {
  const uncalled = withoutKind(root, kinds).map(({ name }) => name);
  expect(uncalled).toEqual(expect.arrayContaining(["account.cancel", "events.markSeen", "payments.make"]));
  // Called by a definition, by a step, by a shared function, and by the engine for kinds without `delete.run`.
  for (const name of ["domains.clone", "volumes.resize", "instances.boot", "managedContacts.delete"])
    expect(uncalled).not.toContain(name);
  expect(uncalled.filter((name) => /\.(list|view)/.test(name))).toEqual([]);
  expect(withoutKind(root, {}).map(({ name }) => name)).toContain("managedContacts.delete");
});
