import type { ResourceValidationPolicy } from "@pulumi/policy";
import { configurationOf, type Schema, texts } from "../configuration";
import { kindOf, nameOf, quoted } from "../resource";
import { declaredTagAmong } from "../tags";
import { read, required } from "../unknown";

const configSchema: Schema<{ tags: string[] }> = {
  properties: {
    tags: texts("Tags of the instances that must have backups. If empty, the policy does not apply."),
  },
};

/** Has no remediation, because backups cost money. */
export const backupsEnabled = {
  name: "backups-enabled",
  description: "Instances with a chosen tag must have backups.",
  enforcementLevel: "mandatory",
  severity: "high",
  configSchema,
  remediationSteps: "Set backupsEnabled to true, or remove the tag. Backups are charged.",
  validateResource(args, report) {
    const { tags } = configurationOf(backupsEnabled, args);
    if (!tags.length) args.notApplicable("No tags are configured");
    if (kindOf(args.type) !== "Instance") args.notApplicable("The policy only applies to instances");
    // Each of the two can be enough to decide, even if the other is unknown.
    const [enabled, tag] = [read(() => args.props.backupsEnabled), read(() => declaredTagAmong(args, tags))];
    if ("value" in enabled && enabled.value === true) return;
    if ("value" in tag && tag.value === undefined) return;
    report(
      `${nameOf(args)}: backupsEnabled is ${required(enabled) ?? "not set"}, but must be true for instances with the tag ${quoted([required(tag)])}.`,
    );
  },
} satisfies ResourceValidationPolicy;
