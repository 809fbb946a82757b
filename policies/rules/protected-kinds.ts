import type { ResourceValidationPolicy } from "@pulumi/policy";
import { choices, configurationOf, type Schema } from "../configuration";
import { kinds as facts } from "../kinds";
import { type KindName, kindOf, nameOf } from "../resource";

const every = Object.keys(facts) as KindName[];

const configSchema: Schema<{ kinds: KindName[] }> = {
  properties: {
    kinds: choices("Kinds that must be protected. If empty, the policy does not apply.", every, []),
  },
};

/**
 * Policies do not see deletions, so this one requires the option with which Pulumi itself rejects them. There is no
 * remediation, because a remediation can change inputs but not options.
 */
export const protectedKinds = {
  name: "protected-kinds",
  description: "Resources of chosen kinds must be protected from deletion.",
  enforcementLevel: "mandatory",
  severity: "high",
  configSchema,
  remediationSteps: "Set the resource option protect to true.",
  validateResource(args, report) {
    const { kinds } = configurationOf(protectedKinds, args);
    if (!kinds.length) args.notApplicable("No kinds are configured");
    const kind = kindOf(args.type);
    if (!kind || !kinds.includes(kind)) args.notApplicable(`The policy only applies to ${kinds.join(", ")}`);
    if (args.opts.protect) return;
    report(
      `${nameOf(args)}: the resource option protect is false, but must be true for the kinds ${kinds.join(", ")}.` +
        " Pulumi then rejects a deletion or replacement.",
    );
  },
} satisfies ResourceValidationPolicy;
