import { expect, test, vi } from "vitest";
import { EngineStack } from "../../../testing/engine";

test("commands of a test get no address and no token of the developer's account, in any dialect", () => {
  for (const name of ["CLOUDINFRA_URL", "CLOUDINFRA_TOKEN", "CLOUDINFRA_DIALECT", "LINODE_URL", "LINODE_TOKEN"])
    vi.stubEnv(name, "of-the-developer");
  vi.stubEnv("SHOP_REGION", "us-east");
  const { env } = new EngineStack("/tmp/stack", { program: {} });
  expect(Object.keys(env).filter((name) => env[name] === "of-the-developer")).toEqual([]);
  expect(env.SHOP_REGION).toBe("us-east");
});

test("commands of a test get the variables that the test sets", () => {
  const { env } = new EngineStack("/tmp/stack", { program: {}, env: { LINODE_TOKEN: "of-the-test" } });
  expect(env.LINODE_TOKEN).toBe("of-the-test");
});
