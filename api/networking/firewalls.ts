import { z } from "zod";
import { asSet, Created, Empty, Id, Paging, page, Tags, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import { type Rule, within } from "../schema/rule";
import { FirewallRules, FirewallRulesUpdate, firewallRulesetRules } from "./firewall-rules";

export const FirewallLabel = z
  .string()
  .min(3)
  // The pattern backtracks, which fails for texts of millions of characters.
  .max(32, { abort: true })
  .regex(
    /^[a-zA-Z0-9]((?!--|__|\.\.)[a-zA-Z0-9_.-])*[a-zA-Z0-9]$/,
    "must start and end with a letter or digit and contain only letters, digits, single dashes, single underscores and single periods",
  )
  .describe("Label of the firewall. Must be unique in the account.");

export type Firewall = z.output<typeof Firewall>;
/** A set of rules for the traffic of the instances that it is assigned to. */
export const Firewall = z.strictObject({
  id: Id.meta({ filterable: true }),
  label: FirewallLabel.meta({ filterable: true }),
  status: z
    .enum(["enabled", "disabled", "deleted"])
    .describe("Status of the firewall. Its rules apply only if it is `enabled`."),
  rules: FirewallRules.describe("Rules of the firewall, and policies: actions for traffic that no rule matches."),
  tags: Tags.meta({ filterable: true }),
  created: Created.meta({ filterable: true }),
  updated: Updated.meta({ filterable: true }),
});

export type FirewallCreate = z.output<typeof FirewallCreate>;
export const FirewallCreate = z.strictObject({
  label: FirewallLabel,
  rules: FirewallRules.partial({ inbound: true, outbound: true }).describe(
    "Rules of the firewall, and policies: actions for traffic that no rule matches.",
  ),
  devices: z
    .strictObject({
      computes: z.array(Id).meta({ canonical: asSet }).describe("Ids of the instances to assign the firewall to."),
    })
    .partial()
    .optional()
    .describe("Objects to assign the firewall to."),
  tags: Tags.optional(),
});

export const firewallCreateRules: Rule<Pick<FirewallCreate, "rules">>[] = within("rules", firewallRulesetRules);

const one = "/networking/firewalls/{firewallId}";
const source = "part 3 · Endpoints · Firewalls";

export const firewalls = {
  list: {
    summary: "List the firewalls of the account.",
    method: "GET",
    path: "/networking/firewalls",
    scopes: ["firewall:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Firewall),
    source,
  },
  create: {
    summary: "Create an enabled firewall and assign it to instances.",
    method: "POST",
    path: "/networking/firewalls",
    scopes: ["firewall:read_write"],
    grant: "add_firewalls",
    body: FirewallCreate,
    result: Firewall,
    event: "firewall_create",
    decided: ["A restricted user needs the grant `add_firewalls`, like the grants for other kinds of objects."],
    source,
  },
  view: {
    summary: "View a firewall with its rules. To list its instances, use `firewallDevices.list`.",
    method: "GET",
    path: one,
    scopes: ["firewall:read_only"],
    grant: "read_only",
    result: Firewall,
    source,
  },
  update: {
    summary:
      "Update a firewall's label, tags or status. To update its rules, use `firewalls.updateRules`. To assign it to an instance, use `firewallDevices.create`.",
    method: "PUT",
    path: one,
    scopes: ["firewall:read_write"],
    grant: "read_write",
    body: Firewall.pick({ label: true, tags: true })
      .extend({
        status: z
          .enum(["enabled", "disabled"])
          .describe("Status of the firewall. Its rules apply only if it is `enabled`."),
      })
      .partial(),
    result: Firewall,
    event: "firewall_update",
    source,
  },
  delete: {
    summary: "Delete a firewall and remove its rules from all its instances.",
    method: "DELETE",
    path: one,
    scopes: ["firewall:read_write"],
    grant: "read_write",
    result: Empty,
    event: "firewall_delete",
    source,
  },
  viewRules: {
    summary: "View the rules of a firewall.",
    method: "GET",
    path: `${one}/rules`,
    scopes: ["firewall:read_only"],
    grant: "read_only",
    result: FirewallRules,
    source,
  },
  updateRules: {
    summary:
      "Replace the inbound rules, the outbound rules or the policies of a firewall. A list of rules is replaced as a whole.",
    method: "PUT",
    path: `${one}/rules`,
    scopes: ["firewall:read_write"],
    grant: "read_write",
    body: FirewallRulesUpdate,
    result: FirewallRules,
    event: "firewall_update",
    decided: ["Null for a list of rules is an empty list."],
    source,
  },
} satisfies Area;
