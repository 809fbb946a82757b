import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator";
import { addRange } from "../../emulator/areas/networking/ipv6";
import { connect } from "../../provider/client";
import type { ConfigValue } from "../../testing/engine";
import { ownCard } from "./more-kinds";

const folder = join(__dirname, "../../examples/resources");

const secrets: Record<string, string> = {
  rootPass: "Correct-Horse-42",
  supportPass: "Battery-Staple-7",
  cardNumber: "4111111111111111",
  cvv: "123",
};

/** The config secrets that the examples name in their `pulumi config set` comments, with values for tests. */
export const exampleSecrets = (): Record<string, ConfigValue> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .flatMap((text) => [...text.matchAll(/^\/\/ pulumi config set --secret (\S+)$/gm)])
      .map(([, key = ""]) => {
        const secret = secrets[key];
        if (secret === undefined) throw new Error(`the examples read the secret ${key}, which has no value here`);
        return [key, { secret }];
      }),
  );

/**
 * Creates objects that examples need but cannot create: a payment card, and an IPv6 range, which only support can
 * route.
 */
export async function prepareExamples(emulator: Emulator): Promise<Record<string, ConfigValue>> {
  await ownCard(emulator);
  const { api, close } = connect(emulator);
  const { id } = await api.instances.create({ body: { region: "us-east", type: "g6-nanode-1" } });
  await close();
  return { range: addRange(emulator.world, emulator.world.instances.get(id)).range };
}
