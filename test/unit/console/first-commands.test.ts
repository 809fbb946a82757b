import { expect, test } from "vitest";
import { firstCommands } from "../../../console/first-commands";

const url = "http://127.0.0.1:4108/v4";

test("the first commands have the default token, and no dialect", () => {
  const { pulumi, curl } = firstCommands(url, { token: "emulator", dialect: null });
  expect(pulumi.split("\n")).toEqual([
    `pulumi config set cloudinfra:url ${url}`,
    "pulumi config set --secret cloudinfra:token emulator",
    "pulumi up",
  ]);
  expect(curl).toContain(`curl ${url}/volumes -H "Authorization: Bearer emulator" \\\n`);
});

test("the first commands have the dialect, and a variable for a token that the console does not know", () => {
  const { pulumi, curl } = firstCommands(url, { token: null, dialect: "linode" });
  expect(pulumi.split("\n")).toEqual([
    `pulumi config set cloudinfra:url ${url}`,
    "pulumi config set cloudinfra:dialect linode",
    'printf %s "$CLOUDINFRA_TOKEN" | pulumi config set --secret cloudinfra:token',
    "pulumi up",
  ]);
  expect(curl).toContain(`printf 'Authorization: Bearer %s' "$CLOUDINFRA_TOKEN" | curl ${url}/volumes -H @- \\\n`);
});
