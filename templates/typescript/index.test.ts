import assert from "node:assert/strict";
import { test } from "node:test";
import { startEmulator } from "pulumi-cloudinfra/emulator";
import { engine } from "pulumi-cloudinfra/testing";

const rootPass = { secret: "Correct-Horse-42" };

test("creates a server with a volume and a firewall, and a second preview shows no changes", async () => {
  await using emulator = await startEmulator({ pace: "instant" });
  const service = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
  await using stack = await engine({ program: __dirname, config: { ...service, region: "us-east", rootPass } });

  const { ops, outputs } = await stack.up();
  assert.deepEqual(ops, { "Instance web": "create", "Volume data": "create", "Firewall web": "create" });
  assert.match(String(outputs?.dataPath), /^\/dev\/disk\/by-id\//);

  await stack.preview(["--expect-no-changes"]);
  await stack.destroy();
});

test("a region that does not exist fails before anything is created", async () => {
  await using emulator = await startEmulator({ pace: "instant" });
  const service = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
  await using stack = await engine({ program: __dirname, config: { ...service, region: "mars", rootPass } });

  const { code, stdout } = await stack.up([], { mayFail: true });
  assert.notEqual(code, 0);
  assert.match(stdout, /must be .*"us-east".* \(given "mars"\)/);
  assert.equal(emulator.requests.counts()["instances.create"], undefined);
});
