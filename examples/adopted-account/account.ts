import { OAuthClient } from "pulumi-cloudinfra";

export const dashboard = new OAuthClient("dashboard", {
  label: "dashboard",
  redirectUri: "https://dashboard.example.org/oauth",
});
