import { objectKindOf } from "../../account/kinds";
import { type Area, isObject, operations, pathNames } from "../../api";
import { isPaged } from "../../provider/client/envelope";
import { callNamed } from "../../provider/client/operation-calls";
import type { ReceivedResponse } from "../../provider/client/options";
import { reportLine } from "../../provider/client/printable";
import { factsOf, type Kind } from "../../provider/engine/definition";
import type { Host } from "../../provider/engine/host";
import {
  type AccountIdentity,
  accountDescription,
  accountText,
  type CurrentAccount,
  compareAccounts,
  restartAdvice,
} from "../../provider/pulumi/account";
import { kinds } from "../../provider/resources";
import { ofDefaultProviders, type StateResource } from "../../stack/state";
import { type Check, notChecked, ok, problem } from "./check";
import { failureCheck, isLimited, isRejection, type Service } from "./service";
import type { Session } from "./session";
import type { UsedKinds } from "./token";

/** Milliseconds in which a list has to be returned. */
const LIST_MS = 5_000;

/** Number of kinds whose objects are counted, with one request each. */
const COUNTED = 3;

export function accountCheck(account: CurrentAccount, response: ReceivedResponse | undefined): Check {
  const name = "account";
  if (account.failure) return notChecked(name, "it could not be read");
  if (account.id === undefined)
    return notChecked(name, `${rejectionIn(response)}; without its id, only the address distinguishes accounts`);
  const company = isObject(response?.body) && response.body.company;
  return ok(name, `${account.id}${typeof company === "string" && company ? `, ${reportLine(company)}` : ""}`);
}

/** The reason in a 403, which a token without the scope gets and a user without access to the account. */
function rejectionIn(response: ReceivedResponse | undefined): string {
  const errors: unknown = isObject(response?.body) ? response.body.errors : undefined;
  const [first]: unknown[] = Array.isArray(errors) ? errors : [];
  return isObject(first) && typeof first.reason === "string" ? reportLine(first.reason) : "the API does not show it";
}

/** Whether the stack belongs to the account at hand. Resources of providers with an own token are left out. */
export function ownerCheck(resources: readonly StateResource[], current: CurrentAccount): Check {
  const name = "stack's account";
  const own = ofDefaultProviders(resources);
  const recorded = [
    ...new Map(own.flatMap(({ account }) => (account ? [[accountText(account), account] as const] : []))).values(),
  ];
  if (!recorded.length)
    return notChecked(
      name,
      own.length ? "the state does not record it; the next update does" : "the stack has no resources",
    );
  const found = recorded.map((account) => [account, compareAccounts(account, current)] as const);
  const different = found.find(([, comparison]) => comparison === "other");
  if (different) return otherAccount(name, different[0], current);
  const unverified = found.find(([, comparison]) => comparison === "unverified");
  if (unverified && current.failure) return notChecked(name, "the account could not be read");
  if (unverified)
    return problem(
      name,
      `the stack belongs to ${accountDescription(unverified[0])}; whether this is the same one is not known`,
      "Use a token with the scope account:read_only, or restore the former address",
    );
  const byAddress = recorded.find(({ id }) => !id || !current.id);
  if (byAddress)
    return notChecked(
      name,
      `it has the same address; whether it is the same account is not known, because ${byAddress.id ? "the token cannot read its id" : "the state does not contain its id"}`,
    );
  const moved = found.find(([, comparison]) => comparison === "moved");
  return ok(name, moved ? `the same, which was at ${moved[0].address} before` : "the same");
}

function otherAccount(name: string, recorded: AccountIdentity, current: CurrentAccount): Check {
  const restarted = restartAdvice(recorded, current);
  return problem(
    name,
    `the stack belongs to ${accountDescription(recorded)}, not to ${accountDescription(current)}`,
    `${restarted ? `${restarted}. Otherwise, restore` : "Restore"} its address and token, or move the stack: "npx cloudinfra migrate --account --dry-run"`,
  );
}

/** Counts the objects of a few kinds: those of the project or, if there are none, common ones. */
export async function objectsCheck(
  session: Session,
  host: Host,
  { used, service }: { used: UsedKinds; service: Service },
): Promise<Check> {
  const name = "objects";
  const chosen = countable(used.size ? [...used.keys()] : [kinds.Instance, kinds.Volume, kinds.Domain]);
  const counts: string[] = [];
  for (const { name: kindName, identity } of chosen) {
    const { scopes = [] } = listOf(identity.area) ?? {};
    if (scopes.some((scope) => session.client.tokenHas(scope) === false)) continue;
    const list = callNamed(host.api, String(identity.area), "list");
    try {
      const page = await list({ query: { page_size: 25 } }, { deadline: host.now() + LIST_MS });
      counts.push(isObject(page) && typeof page.results === "number" ? `${kindName} ${page.results}` : kindName);
    } catch (error) {
      if (isLimited(session.latest))
        return problem(name, "not counted, because the rate limit is reached", "Wait, and then try again");
      if (!isRejection(error)) return failureCheck(name, error as Error, service);
    }
  }
  if (counts.length) return ok(name, counts.join(", "));
  return notChecked(name, chosen.length ? "the token cannot list them" : "no kind of the project has a list");
}

/** The kinds whose objects one request can count, without duplicates and without those that the service provides. */
const countable = (all: readonly Kind[]): Kind[] =>
  [...new Set(all.map(objectKindOf))]
    .filter((kind) => listOf(kind.identity.area) && !factsOf(kind).isProvided)
    .slice(0, COUNTED);

function listOf(area: PropertyKey): Area[string] | undefined {
  const { list }: Area = operations[area as keyof typeof operations];
  return list && isPaged(list) && !pathNames(list.path).length ? list : undefined;
}
