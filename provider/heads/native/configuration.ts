import { isDeepStrictEqual } from "node:util";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { camel, fieldsOf, holdsSecret, pathText } from "../../../api";
import { ApiError } from "../../client/errors";
import type { Host } from "../../engine/host";
import { type Bag, holdsUnknown } from "../../engine/values";
import { kinds } from "../../resources";
import { missingSetting } from "../connection";
import { union } from "../parts";
import { ConfigurationError, type RawConfig, Settings, settingsFrom } from "../settings";
import { received, sent } from "./values";

/** Inputs that Pulumi itself sets for every provider resource. */
const pulumisOwn = new Set(["version", "pluginDownloadURL", "pluginChecksums"]);

const settingsIn = (inputs: Bag): Bag =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => !pulumisOwn.has(key) && !key.startsWith("__")));

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
  const { bag, secrets } = received(request.getNews());
  const unknown = Object.keys(bag).filter((key) => holdsUnknown(bag[key]));
  const known = Object.fromEntries(Object.entries(bag).filter(([key]) => !unknown.includes(key)));
  const failures = problemsIn(known).filter(({ property }) => !unknown.includes(property));
  return new pb.CheckResponse().setInputs(sent(bag, union(secrets, secretSettings))).setFailuresList(
    failures.map(({ property, reason }) =>
      // Secret settings are reported without their property, because Pulumi prints the value of the reported property.
      property in secretSettings && property in bag
        ? new pb.CheckFailure().setReason(`${property} ${reason}`)
        : new pb.CheckFailure().setProperty(property).setReason(reason),
    ),
  );
}

const secretSettings: Readonly<Record<string, true>> = Object.fromEntries(
  Object.entries(fieldsOf(Settings)).flatMap(([key, field]) => (holdsSecret(field) ? [[camel(key), true]] : [])),
);

function problemsIn(inputs: Bag): { property: string; reason: string }[] {
  try {
    const missing = missingSetting(settingsFrom(rawConfig(inputs), Object.keys(kinds)));
    return missing ? [{ property: missing[0], reason: missing[1] }] : [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ path: [property, ...rest], reason }) => ({
      property: String(property),
      reason: rest.length ? `${pathText(rest)} ${reason}` : reason,
    }));
  }
}

/**
 * Compares two configurations. A change never replaces the provider, because that would replace all of its resources.
 */
export function diffConfig(request: pb.DiffRequest): pb.DiffResponse {
  const [olds, news] = [received(request.getOldInputs() ?? request.getOlds()), received(request.getNews())];
  const [old, next] = [settingsIn(olds.bag), settingsIn(news.bag)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const changed = keys.filter((key) => !isDeepStrictEqual(old[key], next[key]));
  const { DIFF_SOME, DIFF_NONE } = pb.DiffResponse.DiffChanges;
  return new pb.DiffResponse().setChanges(changed.length ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
}

/**
 * Time limit in milliseconds for checking the token. If the service is slower or cannot be reached, the token is not
 * checked, and the first resource reports the problem.
 */
const TOKEN_CHECK_MS = 5_000;

/** Rejects a configuration whose token is invalid, so that the error is not reported for every resource. */
export async function rejectInvalidToken({ api, now }: Host): Promise<void> {
  await api.regions.list({}, { deadline: now() + TOKEN_CHECK_MS }).catch((error) => {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    error.message = `cloudinfra:token is not valid: ${error.message}`;
    throw error;
  });
}
