import { type DialectName, dialectNames, oneOf, translationOf } from "../../api";
import { SettingError } from "./errors";

/** The connection settings that apply if neither a program nor a stack sets them. */
export interface Defaults {
  dialect: DialectName | undefined;
  url: string | undefined;
  token: string | undefined;
  /**
   * The environment variables with the address and the token. Undefined if none is set; the address is then the default
   * address of a public service, if there is one.
   */
  variables: { url: string | undefined; token: string | undefined };
}

/**
 * The names of the settings that contain the address and the token of a connection: `cloudinfra:url` or an environment
 * variable such as `CLOUDINFRA_URL`. Undefined if a program passed the value.
 */
export interface SettingNames {
  url?: string | undefined;
  token?: string | undefined;
}

/** The environment variables of other clients that the provider reads, with one of the dialects. */
export const variablesOfDialects = (): string[] =>
  dialectNames.flatMap((name) => Object.values(translationOf(name).dialect.environment));

/**
 * The connection settings in the environment. With a dialect, the variables that other clients of its service read
 * apply too, and the service has a default address.
 */
export function defaultsFor(configured?: string): Defaults {
  const { CLOUDINFRA_URL, CLOUDINFRA_TOKEN, CLOUDINFRA_DIALECT } = process.env;
  const dialect =
    configured === undefined ? dialectOf(CLOUDINFRA_DIALECT, "CLOUDINFRA_DIALECT") : dialectOf(configured);
  const { environment, url } = dialect ? translationOf(dialect).dialect : {};
  const theirs = (name: string | undefined): string | undefined => (name && process.env[name]) || undefined;
  const variable = (own: "url" | "token"): string | undefined =>
    [`CLOUDINFRA_${own.toUpperCase()}`, environment?.[own]].find(theirs);
  return {
    dialect,
    url: CLOUDINFRA_URL || versioned(theirs(environment?.url)) || url,
    token: CLOUDINFRA_TOKEN || theirs(environment?.token),
    variables: { url: variable("url"), token: variable("token") },
  };
}

/** The variables that contain the address and the token, where a program does not pass them. */
export const variablesFor = (
  passed: { url?: string | undefined; token?: string | undefined },
  { variables }: Defaults,
): SettingNames => ({
  url: passed.url === undefined ? variables.url : undefined,
  token: passed.token === undefined ? variables.token : undefined,
});

/** Validates the name of a dialect. */
export function dialectOf(name: string | undefined, where = "it"): DialectName | undefined {
  const known = dialectNames.find((dialect) => dialect === name);
  if (name && !known) throw new SettingError("dialect", `must be ${oneOf(dialectNames)}; ${where} is "${name}"`);
  return known;
}

/** Other clients also accept an address without the version. */
const versioned = (url: string | undefined): string | undefined =>
  url && !/\/v\d\w*\/*$/.test(url) ? `${url.replace(/\/+$/, "")}/v4` : url;
