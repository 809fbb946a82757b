import fc from "fast-check";
import { z } from "zod";
import { elementOf, fieldsOf, innerOf, layersOf, metaOf, valueTypeOf } from "../../../../api";

type Schema = z.core.$ZodType;

/** Text of a user, in which the names of both sides occur. */
export const userText = fc
  .array(
    fc.oneof(
      fc.constantFrom("compute", "linode", "Linode", "Compute", "compute/debian11", "linode_id", "computes:read_only"),
      fc.constantFrom("scsi-0Compute_Volume_", "/v4/linode/instances", " ", "-", "_", ".", "é", "\n", '"'),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 6 },
  )
  // No name of the service begins with this character, so that tests recognize the texts of users.
  .map((parts) => `~${parts.join("")}`);

const texts = {
  id: ["compute/debian11", "private/12", "linode/debian11", "any/compute"],
  path: ["/v4/compute/instances/12", "/v4/images/private/12", "/v4/linode/types", "/v4/managed/compute-settings/7"],
  device: ["/dev/disk/by-id/scsi-0Compute_Volume_compute", "/dev/disk/by-id/scsi-0Linode_Volume_a", "/dev/sda"],
  capability: ["Computes", "Linodes", "Vlans"],
  platform: ["compute", "linode", "somebody"],
  value: ["compute", "linode", "domain"],
  // Other values are restored only from the side that they come from, so a test of their own converts them.
  service: [""],
} as const;

/** Values of a schema, also with fields that the schema does not have. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const inner = innerOf(schema);
  const some = valuesInside(schema, inner);
  return layersOf(schema).nullable ? fc.option(some) : some;
}

function valuesInside(schema: Schema, inner: Schema): fc.Arbitrary<unknown> {
  const { catalogue, names } = metaOf(schema);
  const marked = names ?? (catalogue === "images" || catalogue === "kernels" ? "id" : undefined);
  const element = elementOf(inner);
  if (marked) {
    const text = fc.constantFrom<string>(...texts[marked]);
    return element ? fc.array(text, { maxLength: 3 }) : text;
  }
  if (element) return fc.array(valuesOf(element), { maxLength: 2 });
  const each = valueTypeOf(inner);
  if (each) return fc.dictionary(userText, valuesOf(each), { maxKeys: 2 });
  if (inner instanceof z.core.$ZodEnum || inner instanceof z.core.$ZodLiteral)
    return fc.constantFrom(...inner._zod.values, "linode_boot", "compute_from_the_future");
  if (inner instanceof z.core.$ZodUnion) return fc.oneof(...inner._zod.def.options.map((option) => valuesOf(option)));
  if (inner instanceof z.core.$ZodObject) {
    const known = Object.entries(fieldsOf(inner)).map(([name, field]) => [name, valuesOf(field)] as const);
    const unknown = ["linode_id", "compute_id", "linodes", "compute", "linode_from_the_future"].map(
      (name) => [name, userText] as const,
    );
    const fields = Object.fromEntries([...unknown.filter(([name]) => !(name in fieldsOf(inner))), ...known]);
    return fc.record(fields, { requiredKeys: [] });
  }
  if (inner instanceof z.core.$ZodNumber) return fc.nat();
  if (inner instanceof z.core.$ZodBoolean) return fc.boolean();
  return userText;
}

/** The texts of users in a value, in order, including the names of their own keys. */
export function userTextsIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("~") ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(userTextsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [...userTextsIn(key), ...userTextsIn(part)]);
}
