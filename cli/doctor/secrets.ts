import { createDecipheriv, pbkdf2 } from "node:crypto";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Bag } from "../../provider/engine/values";
import type { TimeLimit } from "../../provider/pulumi/time-limit";
import { bagIn, type Deployment } from "../../stack/deployment";
import { CommandError } from "../../stack/errors";
import { readText, textIfExists } from "../../stack/text-file";
import { type Check, firstLine, notChecked, ok, problem, timedCheck } from "./check";
import type { Project } from "./project";

const NAME = "secrets";

export interface Encryption {
  project: Project;
  /** Path of the stack's configuration. */
  file: string;
  state: Deployment;
  /** Whether Pulumi has decrypted secrets of the configuration. */
  isDecrypted: boolean;
  /** The message of Pulumi if it could not decrypt them. */
  failure: string | undefined;
  limit: TimeLimit;
}

/** Whether the secrets of the stack can be decrypted. Its own key, in a cloud's key service, needs no passphrase. */
export async function secretsChecks({
  project,
  file,
  state,
  isDecrypted,
  failure,
  limit,
}: Encryption): Promise<Check[]> {
  const deployment = bagIn(state.deployment);
  const { type: stateType } = bagIn(deployment.secrets_providers);
  const inFile = await settingsIn(file);
  const type = inFile.type ?? (typeof stateType === "string" ? stateType : undefined);
  if (type === "passphrase") {
    const salts = [
      ...(inFile.salt === undefined ? [] : [{ salt: inFile.salt, from: file }]),
      ...stateSalts(deployment, inFile.salt),
    ];
    const fix = "Check the file that PULUMI_CONFIG_PASSPHRASE_FILE names";
    const work = () => passphraseCheck(project.folder, { file, salts, failure });
    return [await timedCheck({ name: NAME, limit, fix }, () => limit.wait("the passphrase", work))];
  }
  if (failure !== undefined) return [problem(NAME, failure, "Give this user access to the key of the stack")];
  if (type === undefined) return [];
  if (isDecrypted) return [ok(NAME, type)];
  return [notChecked(NAME, `${type}; the configuration has no secrets to decrypt`)];
}

/** How the configuration of the stack is encrypted: the kind of key, and for a passphrase what to compare it with. */
async function settingsIn(file: string): Promise<{ type?: string; salt?: string }> {
  const { secretsprovider, encryptionsalt } = await contentOf(file);
  if (typeof secretsprovider === "string" && !["", "default", "passphrase"].includes(secretsprovider))
    return { type: secretsprovider.replace(/:.*/s, "") };
  return typeof encryptionsalt === "string" ? { type: "passphrase", salt: encryptionsalt } : {};
}

/** The content of a file that Pulumi has read or, if it is not valid, has reported. */
async function contentOf(file: string): Promise<Bag> {
  const { parse } = await import("yaml");
  try {
    return bagIn(parse((await textIfExists(file)) ?? "", { logLevel: "silent" }));
  } catch {
    return {};
  }
}

interface Salt {
  salt: string;
  /** The file or the state that contains it. */
  from: string;
}

/** The salt in the state, if the state has secrets that were encrypted with another salt than the configuration has. */
function stateSalts(deployment: Bag, known: string | undefined): Salt[] {
  const { salt } = bagIn(bagIn(deployment.secrets_providers).state);
  const isUsed = JSON.stringify(deployment.resources ?? []).includes('"ciphertext":');
  return isUsed && typeof salt === "string" && salt !== known ? [{ salt, from: "the state" }] : [];
}

interface Comparison {
  file: string;
  salts: readonly Salt[];
  failure: string | undefined;
}

async function passphraseCheck(folder: string, { file, salts, failure }: Comparison): Promise<Check> {
  const set = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"].find(isSet);
  if (set === undefined)
    return problem(
      NAME,
      "encrypted with a passphrase, and PULUMI_CONFIG_PASSPHRASE is not set",
      "Set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE to the name of a file",
    );
  if (failure !== undefined) return problem(NAME, failure, `Correct ${set}`);
  const passphrase = await passphraseIn(folder, set);
  if (typeof passphrase !== "string") return passphrase;
  for (const { salt, from } of salts) {
    const isRight = await decrypts(passphrase, salt);
    if (isRight === undefined) return notChecked(NAME, `the salt in ${from} has an unknown format`);
    if (!isRight) return problem(NAME, `${set} is not the passphrase for the secrets in ${from}`, `Correct ${set}`);
  }
  if (salts.length) return ok(NAME, `passphrase in ${set}`);
  return notChecked(NAME, `${file} has no encryptionsalt, with which the passphrase in ${set} could be checked`);
}

/** Pulumi uses an empty passphrase, but ignores an empty name of a file. */
const isSet = (name: string): boolean =>
  name.endsWith("_FILE") ? Boolean(process.env[name]) : process.env[name] !== undefined;

/** The passphrase that Pulumi would use, or the reason why it cannot be read. */
async function passphraseIn(folder: string, variable: string): Promise<string | Check> {
  const value = process.env[variable] ?? "";
  if (!variable.endsWith("_FILE")) return value;
  const file = resolve(folder, value);
  try {
    const found = await stat(file);
    // Reading a pipe such as /dev/fd/63 could wait forever, and would empty it.
    if (!found.isFile() && !found.isDirectory()) return notChecked(NAME, `${variable} names a pipe or a device`);
    return (await readText(file)).trim();
  } catch (error) {
    const reason = error instanceof CommandError ? error.message : `${file}: ${(error as NodeJS.ErrnoException).code}`;
    return problem(NAME, `${variable}: ${firstLine(reason)}`, `Correct ${variable}`);
  }
}

/** The same derivation of the key as in Pulumi's package `secrets/passphrase`. */
const [ITERATIONS, KEY_BYTES, TAG_BYTES] = [1_000_000, 32, 16];
/** The text that Pulumi encrypts with a new passphrase, and stores next to the salt. */
const VERIFIED = "pulumi";

/**
 * Whether a passphrase fits a salt such as `v1:SALT:v1:NONCE:CIPHERTEXT`, whose last parts are a known text that is
 * encrypted with it. Undefined if the salt has another format.
 */
export async function decrypts(passphrase: string, encoded: string): Promise<boolean | undefined> {
  const [, salt = "", nonce = "", text = ""] = /^v1:([^:]+):v1:([^:]+):([^:]+)$/.exec(encoded) ?? [];
  const [key, iv, bytes] = [salt, nonce, text].map((part) => Buffer.from(part, "base64")) as [Buffer, Buffer, Buffer];
  if (bytes.length !== VERIFIED.length + TAG_BYTES) return undefined;
  const derived = await promisify(pbkdf2)(passphrase, key, ITERATIONS, KEY_BYTES, "sha256");
  const decipher = createDecipheriv("aes-256-gcm", derived, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(VERIFIED.length));
  try {
    return (
      Buffer.concat([decipher.update(bytes.subarray(0, VERIFIED.length)), decipher.final()]).toString() === VERIFIED
    );
  } catch {
    // The authentication tag does not fit.
    return false;
  }
}

/** Path of the configuration of a stack, which may be named with its organization and project. */
export const configurationFile = ({ configFolder, extension }: Project, stack: string): string =>
  join(configFolder, `Pulumi.${stack.slice(stack.lastIndexOf("/") + 1)}${extension}`);
