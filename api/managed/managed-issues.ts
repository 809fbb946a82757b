import { z } from "zod";
import { Created, Id, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

export type ManagedIssue = z.output<typeof ManagedIssue>;
/** A fault that the monitoring has found. */
export const ManagedIssue = z.strictObject({
  id: Id,
  created: Created.describe("When the issue was found, in UTC."),
  services: z.array(Id).describe("Ids of the managed services that it affects."),
  entity: z
    .strictObject({
      id: Id.describe("Number of the ticket."),
      type: z.enum(["ticket"]),
      label: z.string().describe("Title of the ticket."),
      url: z.string().describe("Path of the ticket in this API."),
    })
    .describe("The ticket that the issue has opened."),
});

const source = "part 2 · Endpoints · Managed";

export const managedIssues = {
  list: {
    summary: "List the issues of the managed services.",
    method: "GET",
    path: "/managed/issues",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedIssue),
    decided: ["An issue that is resolved stays in the list.", "An issue no longer names a service that is deleted."],
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
