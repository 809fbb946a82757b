import { z } from "zod";
import { Png } from "../schema/bytes";
import { Empty, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

const Label = z.string().min(1).max(512).describe("Label of the application. Shown to users who are asked for access.");

/**
 * A URL to which browsers are redirected. Fragments are not allowed because they would be lost, and passwords because
 * they would be exposed.
 */
const RedirectUri = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .refine((text) => !text.includes("#"), "must not contain a fragment (#…)")
  .refine((text) => !URL.canParse(text) || !new URL(text).username, "must not contain a username")
  .describe("URL to which users are redirected after the login, with an authorization code.");

const Public = z
  .boolean()
  .describe(
    "Whether the application is a public client: one that cannot keep a secret, for example because it runs in a browser.",
  );

export type OAuthClient = z.output<typeof OAuthClient>;
/** An OAuth client: an application that requests access to users' accounts. */
export const OAuthClient = z.strictObject({
  id: z.string().describe("Id of the application. Not secret."),
  label: Label.meta({ filterable: true }),
  redirect_uri: RedirectUri,
  public: Public.meta({ filterable: true }),
  status: z
    .enum(["active", "disabled", "suspended"])
    .describe("Status of the application. Users can log in only if it is `active`."),
  secret: z
    .string()
    .meta({ secret: true })
    .describe("Client secret. `<REDACTED>` except in the response to a reset of the secret."),
  thumbnail_url: z.string().nullable().describe("URL of the application's picture. Null if there is none."),
});

const one = "/account/oauth-clients/{clientId}";
const params = { clientId: z.string() };
const source = "part 3 · Endpoints · Account and billing";
const scopes = ["account:read_write"] as const;

export const oauthClients = {
  list: {
    summary: "List the OAuth clients of the account.",
    method: "GET",
    path: "/account/oauth-clients",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(OAuthClient),
    source,
  },
  create: {
    summary: "Create an OAuth client.",
    method: "POST",
    path: "/account/oauth-clients",
    scopes,
    grant: "read_write",
    body: z.strictObject({ label: Label, redirect_uri: RedirectUri, public: Public.default(false) }),
    result: OAuthClient,
    event: "oauth_client_create",
    decided: [
      "The response does not contain the secret. Reset the secret to get one.",
      "`redirect_uri` must be an http or https URL without a fragment and without a username.",
      "Labels do not have to be unique.",
    ],
    source,
  },
  view: {
    summary: "View an OAuth client.",
    method: "GET",
    path: one,
    params,
    scopes: ["account:read_only"],
    grant: "read_only",
    result: OAuthClient,
    source,
  },
  update: {
    summary: "Update the label, the redirect URI or the public flag of an OAuth client.",
    method: "PUT",
    path: one,
    params,
    scopes,
    grant: "read_write",
    body: z.strictObject({ label: Label, redirect_uri: RedirectUri, public: Public }).partial(),
    result: OAuthClient,
    event: "oauth_client_update",
    source,
  },
  delete: {
    summary: "Delete an OAuth client. Its id, secret and tokens become invalid.",
    method: "DELETE",
    path: one,
    params,
    scopes,
    grant: "read_write",
    result: Empty,
    event: "oauth_client_delete",
    source,
  },
  resetSecret: {
    summary:
      "Reset the secret of an OAuth client. Only this response contains the new secret. The old one becomes invalid immediately.",
    method: "POST",
    path: `${one}/reset-secret`,
    params,
    scopes,
    grant: "read_write",
    result: OAuthClient,
    event: "oauth_client_secret_reset",
    decided: ["Tokens issued with the old secret stay valid."],
    source,
  },
  viewThumbnail: {
    summary: "View the picture of an OAuth client. Requires no token.",
    method: "GET",
    path: `${one}/thumbnail`,
    params,
    scopes: [],
    result: Png,
    decided: ["Returns 404 if the OAuth client does not have a picture."],
    source,
  },
  updateThumbnail: {
    summary: "Set the picture of an OAuth client.",
    method: "PUT",
    path: `${one}/thumbnail`,
    params,
    scopes,
    grant: "read_write",
    body: Png,
    result: Empty,
    event: "oauth_client_update",
    decided: ["The picture must be a PNG of at most 1024 by 1024 pixels and 512 KiB. It is stored unchanged."],
    source,
  },
} satisfies Area;
