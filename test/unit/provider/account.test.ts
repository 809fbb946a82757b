import { describe, expect, test } from "vitest";
import { ApiError, UnreachableError } from "../../../provider/client/errors";
import {
  type AccountIdentity,
  AnotherAccountError,
  accountIn,
  accountText,
  type CurrentAccount,
  compareAccounts,
} from "../../../provider/pulumi/account";

const [one, two] = ["63b09d26-1efb-4a98-81f95c5d96cca763", "7f1c2d3e-0a1b-4c2d-9e3f4a5b6c7d8e9f"];
const [here, existing] = ["https://api.example.com/v4", "http://127.0.0.1:4108/v4"];

test.each<[recorded: AccountIdentity, current: AccountIdentity, verdict: string]>([
  [{ id: one, address: here }, { id: one, address: here }, "same"],
  [{ id: one, address: here }, { id: one, address: existing }, "moved"],
  [{ id: one, address: here }, { id: two, address: here }, "other"],
  [{ id: one, address: here }, { id: two, address: existing }, "other"],
  [{ id: one, address: here }, { address: here }, "same"],
  [{ id: one, address: here }, { address: existing }, "unverified"],
  [{ address: here }, { id: one, address: here }, "same"],
  [{ address: here }, { id: one, address: existing }, "unverified"],
  [{ address: here }, { address: here }, "same"],
  [{ address: here }, { address: existing }, "unverified"],
])("%o and %o: %s", (recorded, current, verdict) => {
  expect(compareAccounts(recorded, current)).toBe(verdict);
});

describe("the account in state", () => {
  test.each<[AccountIdentity, string]>([
    [{ id: one, address: here }, `${one} ${here}`],
    [{ address: existing }, existing],
  ])("%o is written as %s", (account, text) => {
    expect(accountText(account)).toBe(text);
    expect(accountIn(text)).toEqual(account);
  });

  test.each([undefined, null, 7, "", "a b c"])("%o contains no account", (value) => {
    expect(accountIn(value)).toBeUndefined();
  });
});

const restore =
  "Nothing was changed. Restore the former address and token (cloudinfra:url and cloudinfra:token, or CLOUDINFRA_URL and CLOUDINFRA_TOKEN)";
const migrate =
  'To move the stack to the other account on purpose, run "npx cloudinfra migrate --account", which first looks up every object there';
const advice = `${restore}. ${migrate}`;

test.each<[what: string, recorded: AccountIdentity, current: CurrentAccount, message: string]>([
  [
    "both accounts",
    { id: one, address: here },
    { id: two, address: existing },
    `this stack belongs to account ${one} at ${here}, but the address and token in use are those of account ${two} at ${existing}. ${advice}`,
  ],
  [
    "the scope that is missing",
    { id: one, address: here },
    { address: existing },
    `this stack belongs to account ${one} at ${here}, but the address and token in use are those of an account at ${existing} with an unknown id. Whether this is the same account is not known: only a token with the scope account:read_only shows it. ${advice}`,
  ],
  [
    "the reason why the account could not be read",
    { id: one, address: here },
    { address: existing, failure: new ApiError("account.view", 500, [{ reason: "Internal error" }]) },
    `this stack belongs to account ${one} at ${here}, but the address in use is ${existing}, and its account cannot be read: account.view: 500 Internal error. ${restore}`,
  ],
  [
    "that the state has no id",
    { address: here },
    { id: two, address: existing },
    `this stack belongs to an account at ${here} with an unknown id, but the address and token in use are those of account ${two} at ${existing}. Whether this is the same account is not known: the state does not contain the id of its account. ${advice}`,
  ],
])("a refusal names %s", (_, recorded, current, message) => {
  expect(new AnotherAccountError(recorded, current).message).toBe(message);
});

test.each<[current: string, url: string, token: string, remedy: string]>([
  [
    existing,
    "cloudinfra:url",
    "cloudinfra:token",
    `Set cloudinfra:url to ${here} and cloudinfra:token to its token. ${migrate}`,
  ],
  [
    existing,
    "CLOUDINFRA_URL",
    "CLOUDINFRA_TOKEN",
    `Set CLOUDINFRA_URL to ${here} and CLOUDINFRA_TOKEN to its token, or unset CLOUDINFRA_URL if the stack has an address of its own. ${migrate}`,
  ],
  [
    existing,
    "cloudinfra:url",
    "CLOUDINFRA_TOKEN",
    `Set cloudinfra:url to ${here} and CLOUDINFRA_TOKEN to its token. ${migrate}`,
  ],
  [here, "cloudinfra:url", "LINODE_TOKEN", `Set LINODE_TOKEN to a token of the stack's own account. ${migrate}`],
])("a refusal at %s says how to correct %s and %s", (address, url, token, remedy) => {
  const error = new AnotherAccountError({ id: one, address: here }, { id: two, address }, { url, token });
  expect(error.message.split("Nothing was changed. ")[1]).toBe(remedy);
});

test("a service that does not respond is not called another account", () => {
  const url = "http://127.0.0.1:1/v4";
  const failure = new UnreachableError("account.view", url, "connect ECONNREFUSED 127.0.0.1:1", undefined);
  const names = { url: "CLOUDINFRA_URL", token: "CLOUDINFRA_TOKEN" };
  expect(new AnotherAccountError({ id: one, address: here }, { address: url, failure }, names).message).toBe(
    `this stack belongs to account ${one} at ${here}, but the address in use is ${url}, and its account cannot be read: connect ECONNREFUSED 127.0.0.1:1. Nothing was changed. ` +
      `Set CLOUDINFRA_URL to ${here} and CLOUDINFRA_TOKEN to its token, or unset CLOUDINFRA_URL if the stack has an address of its own`,
  );
});

test("at an address of this machine, the stack is to be removed only if an emulator was restarted", () => {
  const names = { url: "CLOUDINFRA_URL", token: "CLOUDINFRA_TOKEN" };
  const error = new AnotherAccountError({ id: one, address: existing }, { id: two, address: existing }, names);
  expect(error.message.split("Nothing was changed. ")[1]).toBe(
    'Only if the address is that of an emulator that was restarted without --data, and not of a tunnel to a service, remove the stack with "pulumi stack rm --force --preserve-config NAME": its account does not exist any more. ' +
      `Otherwise, set CLOUDINFRA_TOKEN to a token of the stack's own account. ${migrate}`,
  );
});
