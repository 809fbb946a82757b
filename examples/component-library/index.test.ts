import assert from "node:assert/strict";
import { test } from "node:test";
import { startEmulator } from "pulumi-cloudinfra/emulator";
import { engine } from "pulumi-cloudinfra/testing";

test("the program creates a shop, a blog and a database, and a second preview shows no changes", async () => {
  await using emulator = await startEmulator({ pace: "instant" });
  const service = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
  const rootPass = { secret: "Correct-Horse-42" };
  await using stack = await engine({ program: __dirname, config: { ...service, region: "us-east", rootPass } });

  const { ops } = await stack.up(["--skip-preview"]);
  assert.equal(ops["WebService shop"], "create");
  assert.equal(ops["Database orders"], "create");
  assert.equal(emulator.requests.counts()["nodeBalancerNodes.create"], 4);

  await stack.preview(["--expect-no-changes"]);
});
