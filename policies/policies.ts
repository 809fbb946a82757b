import type { Policies } from "@pulumi/policy";
import { allowedRegions } from "./rules/allowed-regions";
import { backupsEnabled } from "./rules/backups-enabled";
import { instanceFirewall } from "./rules/instance-firewall";
import { noPublicObjects } from "./rules/no-public-objects";
import { noPublicSsh } from "./rules/no-public-ssh";
import { protectedKinds } from "./rules/protected-kinds";
import { requiredTags } from "./rules/required-tags";

/** The policies of the pack. The first three need no configuration; the others apply when they are configured. */
export const policies = [
  noPublicSsh,
  noPublicObjects,
  instanceFirewall,
  backupsEnabled,
  requiredTags,
  allowedRegions,
  protectedKinds,
] satisfies Policies;
