import type { DialectName } from "../../api";
import { addressOf } from "../../provider/client/address";
import { defaultsFor } from "../../provider/client/environment";
import { SettingError } from "../../provider/client/errors";
import { settingsOf } from "../../provider/client/settings";
import { type Check, notChecked, ok, problem } from "./check";
import { dialectAt } from "./service";
import type { Stack } from "./stack";

/** The address and the token that apply, and where they are from. */
export interface Access {
  url: URL | undefined;
  token: string | undefined;
  dialect: DialectName | undefined;
  addressChecks: Check[];
  tokenCheck: Check;
}

interface Options {
  url?: string;
  token?: string;
}

const UNREAD = "the stack's configuration was not read";
const URL_SETTING = "cloudinfra:url";
const TOKEN_SETTING = "cloudinfra:token";

/** Finds the address and the token: of the options, the stack's configuration, the environment or the dialect. */
export function accessFrom(options: Options, { config, isTokenHidden, isUnread }: Stack): Access {
  const configured = config["cloudinfra:dialect"];
  let defaults: ReturnType<typeof defaultsFor>;
  try {
    defaults = defaultsFor(configured);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const where = configured === undefined ? "CLOUDINFRA_DIALECT" : "cloudinfra:dialect";
    return {
      url: undefined,
      token: undefined,
      dialect: undefined,
      addressChecks: [problem("address", error.message, `Correct or unset ${where}`)],
      tokenCheck: notChecked("token", "there is no address"),
    };
  }
  const { variables, dialect } = defaults;
  const address = firstOf([
    [options.url, "--url"],
    [config[URL_SETTING], `${URL_SETTING} in the stack's configuration`],
    [variables.url && defaults.url, variables.url],
    [defaults.url, `the default of the dialect ${dialect}`],
  ]);
  const sources = [
    {
      value: config[TOKEN_SETTING],
      from: `${TOKEN_SETTING} in the stack's configuration`,
      url: config[URL_SETTING],
      isHidden: isTokenHidden,
    },
    { value: defaults.token, from: variables.token, url: variables.url && defaults.url, isHidden: false },
  ].filter(({ value, isHidden }) => value || isHidden);
  if (options.url !== undefined) sources.reverse();
  // A token that is set together with an address is not sent to another one.
  const found = sources.find(({ url }) => !url || !address || addressOf(url) === addressOf(address.value));
  const isHidden = found?.isHidden === true && !options.token;
  const token = firstOf([
    [options.token, "--token"],
    [found?.value, found?.from],
  ]);
  const url = address && validUrl(address.value);
  return {
    url: url instanceof URL ? url : undefined,
    token: isHidden ? undefined : token?.value,
    dialect,
    addressChecks: [
      isUnread && !address ? notChecked("address", UNREAD) : addressCheck(address, url),
      ...(dialect === undefined && !isUnread && url instanceof URL ? dialectCheck(url) : []),
      ...(options.url === undefined
        ? conflictCheck(config[URL_SETTING], variables.url && defaults.url, variables.url)
        : []),
    ],
    tokenCheck: isHidden
      ? notChecked("token", `${found.from} cannot be decrypted`)
      : isUnread && !token
        ? notChecked("token", UNREAD)
        : !token && sources[0]
          ? notChecked(
              "token",
              `${sources[0].from} is for ${addressOf(sources[0].url ?? "")}; set --token to check a token at this address`,
            )
          : tokenCheck(token, variables.token),
  };
}

interface Sourced {
  value: string;
  from: string;
}

function firstOf(
  sources: readonly (readonly [value: string | undefined, from: string | undefined])[],
): Sourced | undefined {
  const [value, from] = sources.find(([value]) => value) ?? [];
  return value ? { value, from: String(from) } : undefined;
}

/** The address as the client uses it, or the reason why the client would reject it. */
function validUrl(url: string): URL | SettingError {
  try {
    return settingsOf({ url, token: "unused" }).url;
  } catch (error) {
    if (error instanceof SettingError) return error;
    throw error;
  }
}

function addressCheck(address: Sourced | undefined, url: URL | SettingError | undefined): Check {
  const name = "address";
  if (!address || !url)
    return problem(
      name,
      "not set, and the service has no default address",
      `Run "pulumi config set ${URL_SETTING} URL" or set CLOUDINFRA_URL; to try the package, run "npx cloudinfra emulator"`,
    );
  if (url instanceof URL) return ok(name, `${url.href}, from ${address.from}`);
  return problem(name, `${address.from} ${url.problem}`, `Correct ${address.from}`);
}

/** A public service with other names would accept only some requests, and ignore or reject parts of others. */
function dialectCheck(url: URL): Check[] {
  const dialect = dialectAt(url);
  if (dialect === undefined) return [];
  return [
    problem(
      "dialect",
      `not set, but ${url.hostname} has the names of ${dialect}`,
      `Run "pulumi config set cloudinfra:dialect ${dialect}" or set CLOUDINFRA_DIALECT=${dialect}`,
    ),
  ];
}

/** With two addresses, refresh and destroy use another one than up and preview. */
function conflictCheck(configured: string | undefined, url: string | undefined, variable = ""): Check[] {
  if (!configured || !url || addressOf(configured) === addressOf(url)) return [];
  const name = "second address";
  const second = validUrl(url);
  if (!(second instanceof URL)) return [problem(name, `${variable} ${second.problem}`, `Unset or correct ${variable}`)];
  return [
    problem(
      name,
      `${variable} (${addressOf(url)}) is another address: drift, refresh and destroy use it, up and preview use ${URL_SETTING}`,
      `Unset ${variable}. If it is the right address, correct ${URL_SETTING} first`,
    ),
  ];
}

function tokenCheck(token: Sourced | undefined, variable: string | undefined): Check {
  const name = "token";
  if (!token)
    return problem(
      name,
      "not set",
      `Set CLOUDINFRA_TOKEN or run "pulumi config set --secret ${TOKEN_SETTING}", which asks for it; the emulator accepts "emulator"`,
    );
  try {
    settingsOf({ url: "http://127.0.0.1/v4", token: token.value });
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return problem(
      name,
      `${token.from}: it ${error.problem}`,
      `Copy the token again${variable ? ", without quotes" : ""}`,
    );
  }
  return ok(name, `from ${token.from}`);
}
