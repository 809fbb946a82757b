import { formerNames, nativeTypeOf, typeOf } from "../../provider/pulumi/handle";
import { type Files, MARK } from "./mark";
import { nameIn, type PackageSchema, token } from "./model";

/** Generates what the policy pack knows about the kinds, because the pack is used without this package. */
export function policiesFile(schema: PackageSchema): Files {
  const facts = Object.entries(schema.resources).map(([type, { inputProperties }]) => {
    const kind = nameIn(type);
    const former = formerNames[kind];
    const types = [nativeTypeOf(kind), typeOf(kind), ...(former ? [nativeTypeOf(former), typeOf(former)] : [])];
    return [kind, { types, inputs: Object.keys(inputProperties) }];
  });
  const acl = schema.types[token("ObjectAcl")];
  const acls = acl && "enum" in acl ? acl.enum.map(({ value }) => value) : [];
  return {
    "policies/kinds.ts": `${MARK}
/** The kinds, with the resource types of both providers and the names of the inputs. */
export const kinds = ${JSON.stringify(Object.fromEntries(facts))} as const;

/** The values of the input \`acl\`. */
export const acls = ${JSON.stringify(acls)} as const;
`,
  };
}
