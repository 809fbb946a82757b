import { addressOf } from "../provider/client/address";
import { defaultsFor } from "../provider/client/environment";
import { SettingError } from "../provider/client/errors";
import type { Holder } from "../stack/holders";
import type { ProviderRow, StackState, StateResource } from "../stack/state";

/** The address of resources, and their provider. */
export interface Place {
  address: string;
  provider: ProviderRow | undefined;
}

/**
 * The address that a token from outside the stacks is for, if no address was set with it: the only one, the only one
 * whose providers set no token of their own, or the default address of the dialect in the environment. Undefined if that
 * is ambiguous, because a token must not be sent to the service of another one.
 */
export function addressOfToken(places: readonly Place[]): string | undefined {
  const all = addressesOf(places);
  const unset = addressesOf(places.filter(({ provider }) => !setsToken(provider)));
  const [only, ...others] = all.length > 1 && unset.length ? unset : all;
  if (!others.length) return only;
  const { url = "" } = defaultsFor();
  return all.find((address) => address === addressOf(url));
}

export const addressesOf = (places: readonly Place[]): string[] => [...new Set(places.map(({ address }) => address))];

/** The parts of a resource that show where it is. */
export type Placed = Pick<StateResource, "provider" | "account">;

/** Base URL of the API at the last update of a resource. Empty if it is not known. */
export const urlOf = ({ provider, account }: Placed): string =>
  provider?.url ?? account?.address ?? defaultsFor(dialectOf(provider)).url ?? "";

/** The dialect that the stack of a provider has set at its last update. */
export function dialectOf(provider: ProviderRow | undefined): string | undefined {
  const set = provider?.inputs["cloudinfra:dialect"] ?? provider?.inputs.dialect;
  return typeof set === "string" ? set : undefined;
}

/** The environment variable with the token for a provider. None applies if this version does not know its dialect. */
export function tokenVariableOf(provider: ProviderRow | undefined): string | undefined {
  try {
    return defaultsFor(dialectOf(provider)).variables.token;
  } catch (error) {
    if (error instanceof SettingError) return undefined;
    throw error;
  }
}

export const setsToken = (provider: ProviderRow | undefined): boolean =>
  (provider?.inputs["cloudinfra:token"] ?? provider?.inputs.token) !== undefined;

/** The holders of a stack, each with its resource, or else another resource of its provider. */
export function placedHolders({ holders, providers, resources }: StackState): { holder: Holder; resource: Placed }[] {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const ofProvider = new Map(resources.map((resource) => [resource.provider?.ref, resource]));
  return holders.map((holder) => {
    const provider = providers.find(({ ref }) => ref === holder.provider);
    const resource = byUrn.get(holder.urn) ?? ofProvider.get(holder.provider) ?? { provider, account: undefined };
    return { holder, resource };
  });
}
