import type { dynamic } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { DynamicProvider } from "../../../provider/dynamic/provider";
import type { Kind } from "../../../provider/engine/definition";
import { kinds } from "../../../provider/resources";
import { drip, listening } from "../../listening";

test("a check ends at the time limit of its resource if the service never ends its responses", async () => {
  await using service = await listening(drip);
  const provider = new DynamicProvider(kinds.Volume as Kind);
  const rawConfig = { "cloudinfra:url": `${service.url}/v4`, "cloudinfra:token": "planted" };
  await provider.configure({ config: { rawConfig } as unknown as dynamic.Config });
  const inputs = { __resourceName: "data", region: "us-east", size: 20, __timeouts: { create: "1s" } };
  await expect(provider.check({}, inputs)).rejects.toThrow(
    'Volume "data": check timed out after 1 s: regions.list: timed out while waiting for the response. ' +
      "To allow more time, set create in the resource option customTimeouts or in cloudinfra:timeouts",
  );
});
