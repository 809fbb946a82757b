import fc from "fast-check";
import { objectKindOf } from "../../account/kinds";
import { camel } from "../../api";
import { fieldOf, type Kind } from "../../provider/engine/definition";
import type { Host } from "../../provider/engine/host";
import { isAction } from "../../provider/engine/identity";
import type { Bag } from "../../provider/engine/values";
import { type KindName, kinds } from "../../provider/resources";
import type { ProviderType } from "../../stack/migration";
import { lastOf } from "../lifecycle/expectations";
import { kindTests } from "../lifecycle/kinds";
import { unmanagedObjects } from "./oracle";
import type { Resource } from "./program";
import type { Stack } from "./stack";
import { Violation } from "./violation";

/** A command that a user runs between two updates. `nth` selects the resource that it is about. */
export interface Step {
  command: "drift" | "adopt" | "import" | "migrate";
  nth: number;
}

/** Commands that users run one after the other with a stack that is up to date. */
export const chain: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ command: fc.constantFrom("drift", "adopt", "import", "migrate"), nth: fc.nat(99) }),
  { maxLength: 4, size: "max" },
);

/**
 * Whether an object can be adopted and then be managed by the same program. If an input says what the object was made
 * from, which the API never returns, the program that `cloudinfra adopt` prints omits it: declaring it asks for another
 * object.
 */
const isAdoptable = (kind: Kind, inputs: Bag): boolean =>
  !isAction(kind) &&
  !Object.keys(kind.fields).some((key) => fieldOf(kind, key).replaceReason && inputs[camel(key)] !== undefined);

/** Kinds that other resources of the stack can declare as a part of their own object, which then are not unmanaged. */
const declaredByOthers: ReadonlySet<KindName> = new Set([
  "FirewallDevice",
  "InstanceConfig",
  "InstanceDisk",
  "LkeNodePool",
]);

/** Whether both a drift check and an import find the unmanaged objects of a kind. */
const isListed = (name: KindName): boolean => kindTests[name].found.by === "operation" && !declaredByOthers.has(name);

/**
 * Removes a resource from state, finds its object with a drift check or an import, and adopts it. Expects that nothing
 * else is found. Returns the resource with its id, or undefined if the stack has no resource that can be adopted.
 */
export async function adoptAgain(
  stack: Stack,
  host: Host,
  provider: ProviderType,
  { command, nth }: Step,
): Promise<{ resource: Resource; id: string } | undefined> {
  const adoptable = stack.entries.flatMap(({ resource, state }) =>
    state && isAdoptable(kinds[resource.kind], state.inputs) ? [{ resource, id: state.id }] : [],
  );
  const chosen = adoptable[nth % (adoptable.length || 1)];
  if (!chosen) return undefined;
  const { resource, id } = chosen;
  stack.forget(resource);
  const found = await unmanagedObjects(stack, host, provider);
  // Parts of the object, such as the devices of a firewall, are its resource's own as long as the resource declares them.
  // The reverse name of an address belongs to the address's resource in the same way.
  const { name: manages } = objectKindOf(kinds[resource.kind]);
  const own = [`${manages} ${id}`, ...(resource.kind === "InstanceIp" ? [`ReverseDns ${lastOf(id)}`] : [])];
  const isExpected = (one: string): boolean =>
    own.includes(one) || one.slice(one.indexOf(" ") + 1).startsWith(`${id}/`);
  const objects = found[command === "import" ? "imported" : "unmanaged"];
  if (isListed(manages as KindName) && !objects.includes(`${manages} ${id}`))
    throw new Violation(`${command} does not find ${resource.kind} ${id}`);
  const wrong = objects.filter((one) => !isExpected(one));
  if (wrong.length)
    throw new Violation(`${command} finds ${wrong.join(", ")}, and only ${resource.kind} ${id} is unmanaged`);
  await stack.adopt(resource, id);
  if (!stack.has(resource)) throw new Violation(`${resource.name} (${id}) cannot be adopted`);
  return chosen;
}
