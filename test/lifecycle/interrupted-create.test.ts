import { expect, test } from "vitest";
import { nativeProvider } from "../../testing/native-provider";
import { Managed } from "../../testing/provider";
import { attempt } from "./fault-cases";
import { objects, scenario } from "./scenario";

test.each(objects)(
  "%s: if the object of a killed create prevents the next create, the error has the command that adopts it",
  async (name) => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    const { id } = it.managed;
    // The process was killed before Pulumi saved the id.
    it.managed.saved = { state: undefined, condemned: [] };
    it.anew();
    const failure = await attempt(() => it.managed.up(it.fixture.base));
    if (failure) {
      expect(String(failure)).toContain(`npx cloudinfra adopt ${name} NAME ${id}`);
      await it.managed.adopt(id);
      await it.managed.up(it.fixture.base);
      expect(it.managed.id).toBe(id);
    }
  },
);

test("the native plugin names Pulumi's own command, because its stacks reject cloudinfra adopt, for every kind", async () => {
  const named: string[] = [];
  for (const name of objects) {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    it.anew();
    const failure = await attempt(() =>
      new Managed(name, it.host, "thing", nativeProvider).up(it.fixture.base as never),
    );
    expect(String(failure)).not.toContain("cloudinfra adopt");
    if (String(failure).includes(`pulumi import cloudinfra:index:${name} NAME ${it.managed.id}`)) named.push(name);
  }
  expect(named).toEqual(
    expect.arrayContaining(["Domain", "Firewall", "Instance", "NodeBalancerConfig", "ObjectStorageBucket", "Volume"]),
  );
});

test("an instance that is already part of a transfer: the error has the transfer with the same instances", async () => {
  await using it = await scenario("ServiceTransfer");
  await it.managed.up(it.fixture.base);
  const { id } = it.managed;
  it.managed.saved = { state: undefined, condemned: [] };
  it.anew();
  await expect(it.managed.up(it.fixture.base)).rejects.toThrow(
    `ServiceTransfer ${id} already has these entities. Choose other entities. If you renamed the resource in the ` +
      "program, add the resource option aliases. If no resource manages that object yet, " +
      `"npx cloudinfra adopt ServiceTransfer NAME ${id}" brings it into this stack`,
  );
});
