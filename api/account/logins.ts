import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Login = z.output<typeof Login>;
/** A user's login at the web console. */
export const Login = z.strictObject({
  id: Id,
  datetime: Time.describe("When the user logged in, in UTC."),
  ip: z.union([z.ipv4(), z.ipv6()]).describe("Address that the user logged in from."),
  username: z.string().describe("Who logged in."),
  restricted: z.boolean().describe("Whether the user was restricted then."),
});

const source = "part 3 · Endpoints · Account and billing · rule 2";

export const logins = {
  list: {
    summary: "List the logins of all users in the last 90 days.",
    method: "GET",
    path: "/account/logins",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(Login),
    decided: ["The newest login comes first."],
    source,
  },
  view: {
    summary: "View a login of the last 90 days.",
    method: "GET",
    path: "/account/logins/{loginId}",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: Login,
    decided: ["An older login is not found, as the list does not have it either."],
    source,
  },
} satisfies Area;
