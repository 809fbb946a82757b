import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Emulator } from "../../emulator";
import { addRange } from "../../emulator/areas/networking/ipv6";
import { connect } from "../../provider/client";
import { kinds } from "../../provider/resources";
import { mutations, sandbox } from "./sandbox";

const folder = join(__dirname, "../../examples/resources");
const programs = readdirSync(folder).filter((file) => file.endsWith(".ts"));
const texts = programs.map((file) => readFileSync(join(folder, file), "utf8"));

/** What the examples tell their reader to configure. */
const config = Object.fromEntries(
  texts
    .flatMap((text) => [...text.matchAll(/^\/\/ pulumi config set --secret (\S+) (\S+)$/gm)])
    .map(([, key = "", secret = ""]) => [key, { secret }]),
);

test("the examples of all kinds, as one program: up, no change, gone", async () => {
  await using box = await sandbox({ folder }, { config });
  const { stack, emulator } = box;
  await stack.configure(await prepare(emulator));
  const before = box.holds();
  // What an example exports stays with it: another may call something of its own the same.
  await stack.write("index.ts", programs.map((file) => `import "./${file.replace(/\.ts$/, "")}";\n`).join(""));

  const up = await stack.up();
  const made = new Set(Object.keys(up.ops).map((resource) => resource.split(" ")[0]));
  expect([...made].sort()).toEqual(Object.keys(kinds).sort());

  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);

  await stack.destroy();
  expect(box.holds()).toEqual(before);
});

/** What is there before: a card, since an account has always one, and an IPv6 range, which only support gives to an instance. */
async function prepare({ url, token, world }: Emulator): Promise<{ range: string }> {
  const { api } = connect({ url, token });
  const own = { card_number: "5555555555554444", expiry_month: 12, expiry_year: 2032, cvv: "321" };
  await api.paymentMethods.add({ body: { data: own } });
  const { id } = await api.instances.create({ body: { region: "us-east", type: "g6-nanode-1" } });
  return { range: addRange(world, world.instances.get(id)).range };
}
