import { type DialectName, dialectNames, oneOf, translationOf } from "../../api";
import { SettingError } from "./errors";

/** The connection settings that apply if neither a program nor a stack sets them. */
export interface Defaults {
  dialect: DialectName | undefined;
  url: string | undefined;
  /** Whether the address is from the environment, as opposed to the default address of a public service. */
  isUrlSet: boolean;
  token: string | undefined;
}

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
  const set = CLOUDINFRA_URL || versioned(theirs(environment?.url));
  return {
    dialect,
    url: set || url,
    isUrlSet: Boolean(set),
    token: CLOUDINFRA_TOKEN || theirs(environment?.token),
  };
}

/** Validates the name of a dialect. */
export function dialectOf(name: string | undefined, where = "it"): DialectName | undefined {
  const known = dialectNames.find((dialect) => dialect === name);
  if (name && !known) throw new SettingError("dialect", `must be ${oneOf(dialectNames)}; ${where} is "${name}"`);
  return known;
}

/** Other clients also accept an address without the version. */
const versioned = (url: string | undefined): string | undefined =>
  url && !/\/v\d\w*\/*$/.test(url) ? `${url.replace(/\/+$/, "")}/v4` : url;
