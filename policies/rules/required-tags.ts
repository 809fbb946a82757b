import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { choices, configurationOf, type Schema, texts } from "../configuration";
import { type KindName, kindOf, kindsWith, nameOf, quoted } from "../resource";
import { declaredTagAmong } from "../tags";

const tagged = kindsWith("tags");

/** The kinds whose objects are replaced if their tags change. */
export const replacedByTags: readonly KindName[] = ["LkeNodePool"];

const configSchema: Schema<{ tags: string[]; kinds: KindName[] }> = {
  properties: {
    tags: texts("Tags that each resource must have. If empty, the policy does not apply.", {
      minLength: 3,
      maxLength: 50,
    }),
    kinds: choices("Kinds that must have the tags: by default, every kind with `tags`.", tagged, tagged),
  },
};

export const requiredTags = {
  name: "required-tags",
  description: "Resources must have the required tags.",
  enforcementLevel: "mandatory",
  severity: "medium",
  configSchema,
  remediationSteps:
    "Add the tags, or set the enforcement level to remediate, which adds them, except to an LkeNodePool.",
  validateResource(args, report) {
    const missing = missingTags(args);
    if (!missing.length) return;
    report(
      `${nameOf(args)}: tags ${args.props.tags ? `are ${quoted(args.props.tags)}` : "are not set"}, but must include ${quoted(missing)}.`,
    );
  },
  /** Adding a tag changes nothing else and is free of charge, except for the kinds that it replaces. */
  remediateResource(args) {
    const missing = missingTags(args);
    if (!missing.length || replacedByTags.includes(kindOf(args.type) as KindName)) return undefined;
    // The object is changed rather than copied, because a copy would read unknown and secret inputs.
    args.props.tags = [...(args.props.tags ?? []), ...missing];
    return args.props;
  },
} satisfies ResourceValidationPolicy;

function missingTags(args: ResourceValidationArgs): string[] {
  const { tags, kinds } = configurationOf(requiredTags, args);
  if (!tags.length) args.notApplicable("No tags are configured");
  const kind = kindOf(args.type);
  if (!kind || !kinds.includes(kind)) args.notApplicable(`The policy only applies to ${kinds.join(", ")}`);
  return tags.filter((tag) => declaredTagAmong(args, [tag]) === undefined);
}
