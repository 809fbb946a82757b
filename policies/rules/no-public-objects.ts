import type { ResourceValidationPolicy } from "@pulumi/policy";
import { choices, configurationOf, type Schema } from "../configuration";
import { acls } from "../kinds";
import { kindOf, kindsWith, nameOf, quoted } from "../resource";

type Acl = (typeof acls)[number];

const configSchema: Schema<{ allowedAcls: Acl[] }> = {
  properties: {
    allowedAcls: choices("Values of `acl` that are allowed.", acls, ["private", "custom"]),
  },
};

const concerned = kindsWith("acl");

/** Has no remediation, because clients of a bucket could lose their access. */
export const noPublicObjects = {
  name: "no-public-objects",
  description: "Buckets and objects must not be readable or writable by other accounts.",
  enforcementLevel: "mandatory",
  severity: "critical",
  configSchema,
  remediationSteps: "Remove acl, whose default is private, or set it to an allowed value.",
  validateResource(args, report) {
    const kind = kindOf(args.type);
    if (!kind || !concerned.includes(kind)) args.notApplicable(`The policy only applies to ${concerned.join(", ")}`);
    const { allowedAcls } = configurationOf(noPublicObjects, args);
    const { acl } = args.props;
    // Without an ACL, a bucket is private, and an object has the ACL of its bucket.
    if (acl === undefined || acl === null || allowedAcls.includes(acl)) return;
    report(`${nameOf(args)}: acl is ${quoted([acl])}. Allowed values are ${quoted(allowedAcls)}.`);
  },
} satisfies ResourceValidationPolicy;
