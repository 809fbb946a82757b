import { expect, test } from "vitest";
import { names, type Scenario, scenario } from "./scenario";

/** A stack's state, without the address of the emulator, which contains its port. */
const stateOf = ({ managed, emulator }: Scenario): unknown =>
  JSON.parse(JSON.stringify(managed.state).replaceAll(new URL(emulator.url).host, "HOST"));

test.each(names)("%s has the same state with and without a dialect, before and after a refresh", async (name) => {
  await using plain = await scenario(name, { seed: 7 });
  await using theirs = await scenario(name, { seed: 7, dialect: "linode" });
  const created = [];
  for (const it of [plain, theirs]) {
    // Both have the inputs of one of them, because some contain a new key for each test.
    await it.managed.up(plain.fixture.base);
    await it.managed.refresh();
    created.push(stateOf(it));
  }
  expect(created[1]).toEqual(created[0]);
  expect(theirs.calls()).toEqual(plain.calls());
});

const bodiesOf = ({ emulator }: Scenario, operation: string): unknown[] =>
  emulator.requests.list().flatMap((entry) => (entry.operation === operation ? [entry.body] : []));

test.each(["compute/debian11", "linode/debian11"])(
  "the image %s is accepted, and the next preview shows no difference",
  async (image) => {
    await using it = await scenario("Instance", { dialect: "linode" });
    const inputs = { ...it.fixture.base, image };
    await it.managed.up(inputs);
    expect(bodiesOf(it, "instances.create")).toMatchObject([{ image: "compute/debian11" }]);
    it.anew();
    expect((await it.managed.preview(inputs)).op).toBe("same");
    const other = { ...inputs, image: image === "compute/debian11" ? "linode/debian11" : "compute/debian11" };
    expect((await it.managed.preview(other)).op).toBe("same");
    await it.managed.refresh();
    expect((await it.managed.preview(inputs)).op).toBe("same");
  },
);
