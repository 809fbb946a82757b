import * as pb from "@pulumi/pulumi/proto/provider_pb";
import type { Host } from "../engine/host";
import { type Bag, isUnknown } from "../engine/values";
import {
  type AccountIdentity,
  AnotherAccountError,
  accountIn,
  accountOfLastUpdate,
  accountText,
  accountToRecord,
  compareAccounts,
  currentAccount,
  requireSameAccount,
  warnMoved,
} from "../pulumi/account";
import { showAccount } from "../pulumi/new-stack";
import { ACCOUNT } from "../pulumi/own-properties";
import { rawConfig } from "./configuration";
import { fromStruct, type ReceivedProperties, toStruct } from "./values";

/** The account in the inputs of a provider resource, or only its address if the inputs contain no account yet. */
export const accountOfProvider = (inputs: Bag): AccountIdentity | undefined =>
  accountIn(inputs[ACCOUNT]) ?? accountOfLastUpdate(rawConfig(inputs));

/**
 * Adds the account to the checked inputs of a provider resource, or a failure if its resources belong to another
 * account. If the service or the token is unknown, the account is not looked up. The account of a new
 * provider is shown with `inform`.
 */
export async function checkAccount(
  request: pb.CheckRequest,
  response: pb.CheckResponse,
  connect: (inputs: Bag) => Host | undefined,
  inform: (message: string) => void,
): Promise<pb.CheckResponse> {
  const [olds, news] = [fromStruct(request.getOlds()).bag, fromStruct(request.getNews()).bag];
  const inputs = fromStruct(response.getInputs());
  const isKnown = ![news.url, news.dialect, news.token].some(isUnknown);
  const host = isKnown && !response.getFailuresList().length ? connect(news) : undefined;
  if (!host) return withAccount(response, inputs, accountIn(olds[ACCOUNT]));
  await currentAccount(host);
  try {
    await requireSameAccount(host, accountOfProvider(olds), { isChange: false });
  } catch (error) {
    if (!(error instanceof AnotherAccountError)) throw error;
    return response.addFailures(new pb.CheckFailure().setReason(error.message)) && response;
  }
  const recorded = accountIn(olds[ACCOUNT]);
  const account = await accountToRecord(host, recorded);
  warnMoved(host, recorded, account);
  if (!Object.keys(olds).length) await showAccount(host, inform);
  // If the account cannot be read, the former address is recorded, so that no change is made at another one.
  return withAccount(response, inputs, account ?? accountOfProvider(olds));
}

const withAccount = (
  response: pb.CheckResponse,
  { bag, secrets }: ReceivedProperties,
  account: AccountIdentity | undefined,
): pb.CheckResponse =>
  account ? response.setInputs(toStruct({ ...bag, [ACCOUNT]: accountText(account) }, secrets)) : response;

/**
 * Adds to a comparison of two providers that their resources must be replaced: in another account, an object with the
 * same id is another object. Pulumi compares two providers if the program has given a resource another provider. Throws
 * an error if it cannot be verified that the account is the same.
 */
export function diffAccount(request: pb.DiffRequest, response: pb.DiffResponse): pb.DiffResponse {
  const olds = fromStruct(request.getOldInputs() ?? request.getOlds()).bag;
  const recorded = accountOfProvider(olds);
  const declared = accountIn(fromStruct(request.getNews()).bag[ACCOUNT]);
  const comparison = recorded && declared ? compareAccounts(recorded, declared) : "same";
  if (recorded && declared && comparison === "unverified") throw new AnotherAccountError(recorded, declared);
  return comparison === "other" ? response.setChanges(DIFF_SOME).setReplacesList([ACCOUNT]) : response;
}

const { DIFF_SOME } = pb.DiffResponse.DiffChanges;
