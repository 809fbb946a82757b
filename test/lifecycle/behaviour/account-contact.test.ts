import { describe, expect } from "vitest";
import { testsOf } from "./tests";

const test = testsOf("AccountContact");

describe("AccountContact", () => {
  test("sends, compares and corrects only declared fields, and a deletion changes nothing", async ({ world, it }) => {
    const { city } = await world.api.account.view();
    await it.up({ company: "Example Ltd", city });
    expect(it.id).toBe("account");
    expect(world.emulator.requests.list().find(({ operation }) => operation === "account.update")?.body).toEqual({
      company: "Example Ltd",
    });
    await world.api.account.update({ body: { phone: "555-0142" } });
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ phone: "555-0142" });
    await world.api.account.update({ body: { company: "Another company" } });
    expect(await it.refresh()).toBe("changed");
    await it.up({ company: "Example Ltd", city });
    world.calls();
    await it.destroy();
    expect(world.calls()).toEqual([]);
    expect(await world.api.account.view()).toMatchObject({ company: "Example Ltd", phone: "555-0142" });
  });

  test("sends no request if the account has the declared values already", async ({ world, it }) => {
    const { email, tax_id } = await world.api.account.view();
    await it.up({ email, taxId: tax_id });
    expect(world.calls()).toEqual([]);
  });
});
