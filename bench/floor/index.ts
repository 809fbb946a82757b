import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

interface Schema {
  resources: Record<string, { properties: object }>;
}

const provider = join(__dirname, "provider.js");
const schema: Schema = JSON.parse(readFileSync(join(__dirname, "../../../schema.json"), "utf8"));

/**
 * A dynamic resource class with the same properties as a class of this package, such as `Volume`. Its provider sends no
 * requests, so it shows how fast any provider could be.
 */
const classOf = (kind: string): (new (name: string, args: pulumi.Inputs) => pulumi.CustomResource) => {
  const { properties = {} } = schema.resources[`cloudinfra:index:${kind}`] ?? {};
  const undefinedProperties = Object.fromEntries(Object.keys(properties).map((key) => [key, undefined]));
  const handler = `exports.handler=()=>require(${JSON.stringify(provider)}).providers.${kind}`;
  return class extends pulumi.CustomResource {
    constructor(name: string, args: pulumi.Inputs) {
      super(`pulumi-nodejs:dynamic/floor:${kind}`, name, { ...undefinedProperties, ...args, __provider: handler });
    }
  };
};

export const Domain = classOf("Domain");
export const DomainRecord = classOf("DomainRecord");
export const Instance = classOf("Instance");
export const Volume = classOf("Volume");
