import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandbox } from "./sandbox";

test("Pulumi's own debug logs show secret outputs, as the docs warn", async () => {
  const client =
    'const mine = new cloudinfra.OAuthClient("mine", { label: "mine", redirectUri: "https://example.org/back" });';
  await using box = await sandbox(`${client}\nexports.secret = mine.secret;`);
  const { stdout, stderr } = await box.stack.run(["up", "--yes", "--logtostderr", "-v=3"]);
  const secret = String((await box.stack.outputs()).secret);
  expect(secret.length).toBeGreaterThan(10);
  expect(stdout).not.toContain(secret);
  // If this expectation fails, the new Pulumi version no longer logs secrets. Then remove the warning in
  // docs/configuration.md.
  expect(stderr).toContain(secret);
  const docs = await readFile(join(__dirname, "../../docs/configuration.md"), "utf8");
  expect(docs).toContain("From `-v=3`, Pulumi writes secret outputs to these logs in plain text");
});
