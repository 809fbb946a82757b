import { OAuthClient } from "pulumi-cloudinfra";

const dashboard = new OAuthClient("dashboard", {
  label: "Dashboard",
  redirectUri: "https://dashboard.example.org/login",
  secretVersion: "2026",
});

export const clientId = dashboard.id;
/** Secret. Changing `secretVersion` generates a new one. */
export const clientSecret = dashboard.secret;
