import { expect, test } from "vitest";
import { functions } from "../../../provider/functions/functions";
import { kinds } from "../../../provider/resources";
import { packageSchema } from "../../../tools/generate/schema";
import { propertiesOf } from "./properties";

/** Field names that usually mean credentials, or their endings. */
const credential =
  /(pass|password|passphrase|secret|token|credentials?|kubeconfig|cvv|cardnumber|userdata|privatekey|keys?)(version)?$/i;

/** Field names that look like credentials but are not, with the reason. */
const harmless: Record<string, string> = {
  accessKey: "the half of a key that requests show",
  authorizedKeys: "public keys",
  sshKey: "the public key of the monitoring",
  credentials: "ids of credentials",
  secretVersion: "a number of the program's own",
  managedCredentials: "a list without what they hold",
  "NodeBalancerConfigResult.sslKey": "the service never shows it",
  "getNodeBalancerConfig outputs.sslKey": "the service never shows it",
};

const schema = packageSchema(
  kinds,
  { version: "1.2.3", keywords: [], license: "", homepage: "", repository: { url: "" } },
  functions,
);

test("every property with the name of a credential is secret", () => {
  const open = [...propertiesOf(schema)].flatMap(([where, properties]) =>
    Object.entries(properties)
      .filter(([name, { secret }]) => credential.test(name) && !secret)
      .map(([name]) => `${where}.${name}`),
  );
  const known = (field: string): string | undefined => {
    const name = field.split(".").at(-1) ?? "";
    return Object.keys(harmless).find((one) => one === name || field.endsWith(`:${one}`));
  };
  expect(open.filter((field) => !known(field))).toEqual([]);
  expect([...new Set(open.map(known))].sort(), "no exception is left over").toEqual(Object.keys(harmless).sort());
});
