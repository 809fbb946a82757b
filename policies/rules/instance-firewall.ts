import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { configurationOf, type Schema, texts } from "../configuration";
import { fieldsIn, kindOf, listIn, nameOf } from "../resource";
import { tagAmong } from "../tags";
import { type Read, read, requireKnown } from "../unknown";

const configSchema: Schema<{ exceptTags: string[] }> = {
  properties: {
    exceptTags: texts("Tags of the instances that need no firewall."),
  },
};

/** Has no remediation, because a firewall can interrupt connections. */
export const instanceFirewall = {
  name: "instance-firewall",
  description: "Each instance must have a firewall that is enabled.",
  enforcementLevel: "mandatory",
  severity: "high",
  configSchema,
  remediationSteps: "Add the instance to devices.computes of a firewall, or declare a FirewallDevice for it.",
  validateStack({ resources, getConfig }, report) {
    const { exceptTags } = configurationOf(instanceFirewall, { getConfig });
    const assignments = resources.flatMap(assignmentOf);
    const undecided: unknown[] = [];
    for (const instance of resources.filter(({ type }) => kindOf(type) === "Instance")) {
      const covering = assignments.filter(({ instances }) => instances.includes(instance));
      const isExempt = read(
        () => exceptTags.length > 0 && tagAmong(outputOf(instance, "tags"), exceptTags) !== undefined,
      );
      const isCovered = [isExempt, ...covering.map(({ isEffective }) => isEffective)];
      if (isCovered.some((result) => "value" in result && result.value)) continue;
      const doubt = isCovered.find((result) => "unknown" in result);
      if (doubt) undecided.push(doubt.unknown);
      else
        report(
          `${nameOf(instance)}: no enabled firewall of this stack has it in devices.computes, and no FirewallDevice assigns one to it.` +
            " Assignments are recognized if they use the id of the resource, not a number.",
          instance.urn,
        );
    }
    if (undecided.length) throw undecided[0];
  },
} satisfies StackValidationPolicy;

/** An assignment of a firewall to instances. */
interface Assignment {
  instances: readonly PolicyResource[];
  isEffective: Read<boolean>;
}

/**
 * Pulumi does not pass ids to policies, and new objects have none in a preview. The dependencies of the property that
 * contains the ids name the instances in both cases.
 */
function assignmentOf(resource: PolicyResource): Assignment[] {
  const { type, propertyDependencies } = resource;
  const instancesIn = (property: string): PolicyResource[] =>
    (propertyDependencies[property] ?? []).filter((one) => kindOf(one.type) === "Instance");
  if (kindOf(type) === "Firewall") {
    const instances = instancesIn("devices");
    const isEffective = read(() => {
      // With fewer ids than instances, the program has selected some of them, and the others are not protected.
      const isComplete = listIn(fieldsIn(knownOutputOf(resource, "devices")).computes).length >= instances.length;
      return isComplete && isEnabled(resource);
    });
    return [{ instances, isEffective }];
  }
  if (kindOf(type) === "FirewallDevice") {
    const firewalls = (propertyDependencies.firewallId ?? []).filter((one) => kindOf(one.type) === "Firewall");
    // A firewall that another stack manages counts as enabled.
    return [{ instances: instancesIn("entityId"), isEffective: read(() => firewalls.every(isEnabled)) }];
  }
  return [];
}

/** Whether a firewall is enabled, as new firewalls are. */
const isEnabled = (firewall: PolicyResource): boolean => outputOf(firewall, "status") !== "disabled";

/**
 * An output that the program can set, and undefined if it does not: in a preview, the plugin does not know the values
 * that the service will choose. A value that the program computes depends on another resource and stays unknown.
 */
function outputOf(resource: PolicyResource, property: string): unknown {
  const output = read(() => resource.props[property]);
  if ("unknown" in output && !resource.propertyDependencies[property]?.length) return undefined;
  return knownOutputOf(resource, property);
}

/**
 * An output, and undefined only if the resource has none of this name: Pulumi returns no outputs at all in a preview
 * that does not know the settings of the provider.
 */
function knownOutputOf({ props, provider }: PolicyResource, property: string): unknown {
  const output: unknown = props[property];
  if (output === undefined) requireKnown(provider?.props);
  return output;
}
