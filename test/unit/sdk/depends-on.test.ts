import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { getVolumeOutput, Volume } from "../../../sdk";

const events: string[] = [];
let finishCreation = (): void => {};
const creation = new Promise<void>((resolve) => {
  finishCreation = resolve;
});

beforeAll(() =>
  pulumi.runtime.setMocks({
    async newResource({ name, inputs, custom }) {
      if (!custom) return { id: "", state: {} };
      await creation;
      events.push(`created ${name}`);
      return { id: "7", state: inputs };
    },
    call({ inputs }) {
      events.push("called");
      return inputs;
    },
  }),
);

class Disk extends pulumi.ComponentResource {
  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("test:index:Disk", name, {}, opts);
    new Volume(`${name}-volume`, { region: "us-east" }, { parent: this });
  }
}

/** A component that creates its children later than its constructor returns. */
class Site extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:index:Site", name, {});
    new Volume(`${name}-volume`, { region: "us-east" }, { parent: this });
  }

  protected override async initialize(): Promise<object> {
    await new Promise((resolve) => setImmediate(resolve));
    new Disk("nested", { parent: this });
    return {};
  }
}

const resolved = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

test("a function that depends on a component runs when all resources in the component exist", async () => {
  const site = new Site("site");
  const found = resolved(getVolumeOutput({ label: "data" }, { dependsOn: site }));
  // Components are registered at once, so a function that only waited for the component would run now.
  await resolved(site.urn);
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual([]);
  finishCreation();
  expect(await found).toEqual({ label: "data" });
  expect(events.at(-1)).toBe("called");
  expect([...events].sort()).toEqual(["called", "created nested-volume", "created site-volume"]);
});
