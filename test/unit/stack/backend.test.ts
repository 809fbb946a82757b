import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { realTime } from "../../../provider/client/time";
import { TimeLimit } from "../../../provider/pulumi/time-limit";
import { Backend } from "../../../stack/backend";
import { newFolder } from "../../folder";

afterEach(() => void vi.unstubAllEnvs());

test("the token of a stack is found in a backend whose stacks have no projects", async () => {
  const folder = newFolder();
  const stacks = join(folder, ".pulumi/stacks");
  mkdirSync(stacks, { recursive: true });
  writeFileSync(join(stacks, "dev.json"), "{}");
  const pulumi = join(folder, "pulumi");
  writeFileSync(pulumi, `#!/bin/sh\necho '{"user":"ada","url":"file://${folder}"}'\n`);
  chmodSync(pulumi, 0o755);
  vi.stubEnv("PULUMI_CLI", pulumi);
  using limit = new TimeLimit("30s", () => {}, realTime);
  const backend = await Backend.at(folder, limit);
  expect(backend.stacks).toEqual([{ reference: "dev", name: "dev", project: "" }]);
  const url = "http://127.0.0.1:4108/v4";
  const provider = { urn: "urn", ref: "urn::id", isDefault: true, url, inputs: { token: "own-token" } };
  const found = { token: "own-token", source: "the token of its last update" };
  expect(await backend.token("shop/dev", provider, url)).toEqual(found);
  expect(await backend.token("shop/prod", provider, url)).toBeUndefined();
});
