import { z } from "zod";
import { fieldsOf, unwrapped } from "../../api";
import type { Emulator } from "../../emulator";
import { actions } from "../../emulator/areas";
import { Random } from "../../emulator/core/random";
import { controlPaths } from "../../emulator/http/control";

/** Values that are likely to cause errors in schemas, clocks and files. */
const odd: readonly unknown[] = [
  ...[0, -1, 1, 7, 1.5, 60, 8e12, 1e308, -1e308, Number.MAX_SAFE_INTEGER],
  ...["", "x", "x".repeat(5000), "9999-12-31T23:59:59", "0000-00-00T00:00:00", "\u001b[2J", "\u{1f600}", "__proto__"],
  ...[null, true, false, [], {}, [[]], { a: 1 }, [null]],
];

/** Control requests that are never sent, because they would empty the emulator's account and leave nothing to test. */
const left = new Set(["PUT state", "POST reset"]);

/**
 * Sends random requests to the emulator's control API (`/_emulator/…`), which tests use to change its state. Returns
 * the requests that failed with a 5xx status.
 */
export async function controlStorm(emulator: Emulator, seed: number, count: number): Promise<string[]> {
  const random = new Random(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  const paths = controlPaths(actions).filter(({ path }) => !left.has(path));
  const failures: string[] = [];
  for (let at = 0; at < count; at++) {
    const { path, body } = pick(paths);
    const [method = "", rest = ""] = path.split(" ");
    const sent = method === "GET" ? undefined : JSON.stringify(randomValue(body, pick, random));
    const response = await fetch(`${new URL(emulator.url).origin}/_emulator/${rest}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.text();
    if (response.status >= 500) failures.push(`${path} ${sent}: ${response.status} ${text}`);
  }
  emulator.faults.clear();
  return failures;
}

/** A random request body: each field is omitted, valid, or one of the values that are likely to cause errors. */
function randomValue(schema: z.core.$ZodType, pick: <T>(list: readonly T[]) => T, random: Random): unknown {
  const inner = unwrapped(schema);
  if (random.below(4) === 0) return pick(odd);
  if (inner !== schema) return random.below(2) === 0 ? randomValue(inner, pick, random) : pick(odd);
  if (schema instanceof z.core.$ZodUnion) return randomValue(pick(schema._zod.def.options), pick, random);
  if (schema instanceof z.core.$ZodEnum) return pick(Object.values(schema._zod.def.entries));
  if (schema instanceof z.core.$ZodLiteral) return pick(schema._zod.def.values);
  if (schema instanceof z.core.$ZodArray) return [randomValue(schema._zod.def.element, pick, random)];
  if (schema instanceof z.core.$ZodBoolean) return random.below(2) === 0;
  if (!(schema instanceof z.core.$ZodObject)) return pick(odd);
  const fields = Object.entries(fieldsOf(schema)).filter(() => random.below(3) > 0);
  return Object.fromEntries(fields.map(([name, field]) => [name, randomValue(field, pick, random)]));
}
