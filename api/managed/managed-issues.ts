import { z } from "zod";
import { Created, Id, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

export type ManagedIssue = z.output<typeof ManagedIssue>;
/** An issue that monitoring has found. */
export const ManagedIssue = z.strictObject({
  id: Id,
  created: Created.describe("Time at which the issue was found, in UTC."),
  services: z.array(Id).describe("Ids of the affected services, which the platform monitors."),
  entity: z
    .strictObject({
      id: Id.describe("Id of the ticket."),
      type: z.enum(["ticket"]).describe("Type of the object. Always `ticket`."),
      label: z.string().describe("Title of the ticket."),
      url: z.string().describe("API path of the ticket."),
    })
    .describe("Support ticket of the issue."),
});

const source = "part 2 · Endpoints · Managed";

export const managedIssues = {
  list: {
    summary: "List the issues that the platform found with the services that it monitors.",
    method: "GET",
    path: "/managed/issues",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedIssue),
    decided: ["Resolved issues stay in the list.", "Deleted services are removed from the issue."],
    source,
  },
  view: {
    summary: "View an issue.",
    method: "GET",
    path: "/managed/issues/{issueId}",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: ManagedIssue,
    source,
  },
} satisfies Area;
