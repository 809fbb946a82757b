import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Login = z.output<typeof Login>;
/** A login at the web console. */
export const Login = z.strictObject({
  id: Id,
  datetime: Time.describe("Time of the login in UTC."),
  ip: z.union([z.ipv4(), z.ipv6()]).describe("IP address of the login."),
  username: z.string().describe("Username."),
  restricted: z.boolean().describe("Whether the user was restricted at the time of the login."),
});

const source = "part 3 · Endpoints · Account and billing · rule 2";

export const logins = {
  list: {
    summary: "List the logins of the last 90 days by all users of the account.",
    method: "GET",
    path: "/account/logins",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(Login),
    decided: ["The list starts with the latest login."],
    source,
  },
  view: {
    summary: "View a login of the last 90 days.",
    method: "GET",
    path: "/account/logins/{loginId}",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: Login,
    decided: ["Logins that are more than 90 days old return 404."],
    source,
  },
} satisfies Area;
