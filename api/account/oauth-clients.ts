import { z } from "zod";
import { Png } from "../schema/bytes";
import { Empty, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

const Label = z.string().min(1).max(512).describe("Name of the application, shown to users who are asked for access.");

/** A place on the web that a browser can be sent to; a fragment would be lost, and a password seen. */
const RedirectUri = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .refine((text) => !text.includes("#"), "must have no fragment")
  .refine((text) => !URL.canParse(text) || !new URL(text).username, "must hold no user name")
  .describe("Where a user is sent after the login, with a code to exchange.");

const Public = z.boolean().describe("Whether the application can't keep a secret, like one in a browser.");

export type OAuthClient = z.output<typeof OAuthClient>;
/** An application that asks users of the service for access to their accounts. */
export const OAuthClient = z.strictObject({
  id: z.string().describe("Id of the application, which is no secret."),
  label: Label.meta({ filterable: true }),
  redirect_uri: RedirectUri,
  public: Public.meta({ filterable: true }),
  status: z.enum(["active", "disabled", "suspended"]).describe("Whether users can log in by it."),
  secret: z.string().meta({ secret: true }).describe("`<REDACTED>`, but for the answer to a reset of the secret."),
  thumbnail_url: z.string().nullable().describe("Where its picture is; null when it has none."),
});

const one = "/account/oauth-clients/{clientId}";
const params = { clientId: z.string() };
const source = "part 3 · Endpoints · Account and billing";
const scopes = ["account:read_write"] as const;

export const oauthClients = {
  list: {
    summary: "List the applications that the account has registered.",
    method: "GET",
    path: "/account/oauth-clients",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(OAuthClient),
    source,
  },
  create: {
    summary: "Register an application.",
    method: "POST",
    path: "/account/oauth-clients",
    scopes,
    body: z.strictObject({ label: Label, redirect_uri: RedirectUri, public: Public.default(false) }),
    result: OAuthClient,
    event: "oauth_client_create",
    decided: [
      "The answer shows no secret: reset the secret to be told one.",
      "`redirect_uri` is an http or https URL without a fragment and without a user name.",
      "Labels need not be unique.",
    ],
    source,
  },
  view: {
    summary: "View an application.",
    method: "GET",
    path: one,
    params,
    scopes: ["account:read_only"],
    result: OAuthClient,
    source,
  },
  update: {
    summary: "Change an application's label, redirect URI, or whether it is public.",
    method: "PUT",
    path: one,
    params,
    scopes,
    body: z.strictObject({ label: Label, redirect_uri: RedirectUri, public: Public }).partial(),
    result: OAuthClient,
    event: "oauth_client_update",
    source,
  },
  delete: {
    summary: "Delete an application; its id, its secret and all tokens issued to it are invalid from then on.",
    method: "DELETE",
    path: one,
    params,
    scopes,
    result: Empty,
    event: "oauth_client_delete",
    source,
  },
  resetSecret: {
    summary: "Give an application a new secret, shown only here; the old one is invalid at once.",
    method: "POST",
    path: `${one}/reset-secret`,
    params,
    scopes,
    result: OAuthClient,
    event: "oauth_client_secret_reset",
    decided: ["Tokens that were issued under the old secret stay valid."],
    source,
  },
  viewThumbnail: {
    summary: "View an application's picture; everybody can.",
    method: "GET",
    path: `${one}/thumbnail`,
    params,
    scopes: [],
    result: Png,
    decided: ["An application without a picture answers 404."],
    source,
  },
  updateThumbnail: {
    summary: "Set an application's picture.",
    method: "PUT",
    path: `${one}/thumbnail`,
    params,
    scopes,
    body: Png,
    result: Empty,
    event: "oauth_client_update",
    decided: ["The picture is a PNG of at most 1024 by 1024 pixels and 512 KiB, kept as it was sent."],
    source,
  },
} satisfies Area;
