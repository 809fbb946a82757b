import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { z } from "zod";
import { type Checked, check } from "../engine";
import { inputSchema, type Kind } from "../engine/definition";
import type { Host } from "../engine/host";
import type { Random } from "../engine/naming";
import type { Bag } from "../engine/values";

const { PROPOSE, DISABLE } = CheckRequest.AutonamingOptions.Mode;

interface CheckInputs {
  name: string;
  oldInputs: Bag;
  newInputs: Bag;
  /** Source of the random suffix of a generated name. */
  random: Random | undefined;
}

/**
 * Checks inputs, and generates a name by the stack's configuration `pulumi:autonaming` if the program omits it. Such a
 * name does not get the prefix of `cloudinfra:labelPrefix`. An existing object keeps its name.
 */
export async function checkWithName(
  kind: Kind,
  host: Host,
  { name, oldInputs, newInputs, random }: CheckInputs,
  naming: CheckRequest.AutonamingOptions | undefined,
): Promise<Checked> {
  const input = kind.identity.autoname;
  if (!naming || !input || (newInputs[input] ?? oldInputs[input] ?? undefined) !== undefined)
    return check(kind, host, name, oldInputs, newInputs, random);
  if (naming.getMode() === DISABLE) {
    const found = await check(kind, host, name, oldInputs, newInputs, random);
    const reason = "is required, because pulumi:autonaming disables generated names";
    return { ...found, failures: [...found.failures, { path: [input], reason }] };
  }
  const proposedName = naming.getProposedName();
  if (naming.getMode() === PROPOSE && !z.safeParse(inputSchema(kind, input), proposedName).success) {
    const { label_prefix: _, ...settings } = host.settings;
    return check(kind, { ...host, settings }, proposedName, oldInputs, newInputs, random);
  }
  return { ...(await check(kind, host, name, oldInputs, { ...newInputs, [input]: proposedName })), autonamed: true };
}
