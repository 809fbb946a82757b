import { isDeepStrictEqual } from "node:util";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { camel, fieldsOf, holdsSecret, type Problem } from "../../api";
import { type Bag, containsUnknown } from "../engine/values";
import { missingSettings } from "../pulumi/connection";
import { propertyPath, quotedPath } from "../pulumi/property-path";
import { union } from "../pulumi/selection";
import { ConfigurationError, type RawConfig, Settings, settingsFrom } from "../pulumi/settings";
import { kinds } from "../resources";
import type { MissingKey } from "./failure";
import { fromStruct, toStruct } from "./values";

/** Inputs that Pulumi itself sets for every provider resource. */
const pulumiSettings = new Set(["version", "pluginDownloadURL", "pluginChecksums"]);

const settingsIn = (inputs: Bag): Bag =>
  Object.fromEntries(
    Object.entries(withoutNull(inputs)).filter(([key]) => !pulumiSettings.has(key) && !key.startsWith("__")),
  );

/** Removes null, which Pulumi passes for a secret that the program leaves undefined. */
const withoutNull = (inputs: Bag): Bag =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null));

/**
 * Converts the inputs of a provider resource to the format of a stack's configuration, in which all values except
 * strings are JSON.
 */
export const rawConfig = (inputs: Bag): RawConfig =>
  Object.fromEntries(
    Object.entries(settingsIn(inputs)).map(([key, value]) => [
      `cloudinfra:${key}`,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

/** Reports all problems of the configuration. Values that are unknown in a preview are not checked. */
export function checkConfig(request: pb.CheckRequest): pb.CheckResponse {
  const { bag: news, secrets } = fromStruct(request.getNews());
  const bag = withoutNull(news);
  const unknown = Object.keys(bag).filter((key) => containsUnknown(bag[key]));
  const known = Object.fromEntries(Object.entries(bag).filter(([key]) => !unknown.includes(key)));
  const failures = problemsIn(known).filter(({ path: [name] }) => !unknown.includes(String(name)));
  return new pb.CheckResponse()
    .setInputs(toStruct(bag, union(secrets, secretSettings)))
    .setFailuresList(
      failures.map(({ path, reason }) => new pb.CheckFailure().setProperty(shownPath(path, bag)).setReason(reason)),
    );
}

const secretSettings: Readonly<Record<string, true>> = Object.fromEntries(
  Object.entries(fieldsOf(Settings)).flatMap(([key, field]) => (holdsSecret(field) ? [[camel(key), true]] : [])),
);

/** Pulumi adds the command that sets a setting. */
const descriptions = {
  url:
    "the address of the API. It can also be in the environment variable CLOUDINFRA_URL. " +
    'To try it without an account, run "npx cloudinfra emulator" and use the address that it prints.',
  token:
    "the access token. It can also be in the environment variable CLOUDINFRA_TOKEN. " +
    "In the configuration, set it with the flag --secret.",
} as const;

/** The required settings that are missing, for Pulumi's list of settings and the commands that set them. */
export function missingIn(config: RawConfig): MissingKey[] {
  const missing = missingSettings(settingsFrom(config, Object.keys(kinds)));
  return missing.map(([name, reason]) => ({ name: `cloudinfra:${name}`, description: descriptions[name], reason }));
}

const openSettings = new Set(
  Object.keys(fieldsOf(Settings))
    .map(camel)
    .filter((name) => !(name in secretSettings)),
);

/**
 * The path of a setting. Pulumi prints the value of the setting that a failure names, unless the name is quoted. An
 * unknown setting could be a misspelled token.
 */
function shownPath(path: Problem["path"], inputs: Bag): string {
  const [name] = path;
  return typeof name !== "string" || path.length > 1 || openSettings.has(name) || !(name in inputs)
    ? propertyPath(path)
    : quotedPath(name);
}

function problemsIn(inputs: Bag): readonly Problem[] {
  try {
    const missing = missingSettings(settingsFrom(rawConfig(inputs), Object.keys(kinds)));
    return missing.map(([name, reason]) => ({ path: [name], reason }));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  }
}

/**
 * Compares two configurations. A change of a setting never replaces the provider, because that would replace all of its
 * resources.
 */
export function diffConfig(request: pb.DiffRequest): pb.DiffResponse {
  const [olds, news] = [fromStruct(request.getOldInputs() ?? request.getOlds()), fromStruct(request.getNews())];
  const [old, next] = [settingsIn(olds.bag), settingsIn(news.bag)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const changed = keys.filter((key) => !isDeepStrictEqual(old[key], next[key]));
  const { DIFF_SOME, DIFF_NONE } = pb.DiffResponse.DiffChanges;
  return new pb.DiffResponse().setChanges(changed.length ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
}
