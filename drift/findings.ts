import type { Document } from "yaml";
import { z } from "zod";
import { pathText, problemsOf, wildcard } from "../api";
import { alphabet } from "../provider/pulumi/order";
import { aliasProblem } from "../provider/pulumi/yaml";
import { addressOf } from "../stack/state";
import { AllowListError } from "./errors";
import type { DriftReport, Finding } from "./model";

const Entry = z.strictObject({
  address: z.string().min(1),
  path: z.string().startsWith("/").optional(),
  reason: z.string().trim().min(1),
  expires: z.iso.date().optional(),
});

/** A list without entries is valid, also in the notation `accept:`, because its last entry may just have been removed. */
const AllowListSchema = z.strictObject({
  accept: z
    .array(Entry)
    .nullable()
    .transform((entries) => entries ?? []),
});

/**
 * A difference that the project accepts: an address and a path, in which `*` matches any text, the reason, and an
 * optional expiry date.
 */
export type AllowEntry = z.output<typeof Entry>;
export type AllowList = z.output<typeof AllowListSchema>;

/** Name of the file in a project's folder that lists accepted differences. */
export const ALLOW_LIST = "cloudinfra.drift.yaml";

/** Parses an allow-list in YAML. Throws an error with all problems of the file. */
export async function allowListIn(text: string, name = ALLOW_LIST): Promise<AllowList> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { schema: "core" });
  const [broken] = document.errors;
  if (broken) throw new AllowListError(`${name} is not valid YAML: ${broken.message.split("\n")[0]}`);
  const parsed = z.safeParse(AllowListSchema, contentOf(document, name) ?? { accept: [] }, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error.issues).map(({ path, reason }) => `${pathText(path)} ${reason}`.trim());
  throw new AllowListError(`${name}: ${problems.join("; ")}`);
}

function contentOf(document: Document, name: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const problem = aliasProblem(error);
    throw problem === undefined ? error : new AllowListError(`${name}: ${problem}`);
  }
}

/** An allow-list entry that accepts a finding for a month, as one line to paste under `accept:`. */
export function allowLine({ address, path }: Pick<Finding, "address" | "path">, now: Date): string {
  const expires = new Date(now.getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  const finding = path === undefined ? "" : `path: ${JSON.stringify(path)}, `;
  const reason = `accepted on ${now.toISOString().slice(0, 10)}`;
  return `- { address: ${JSON.stringify(address)}, ${finding}reason: ${JSON.stringify(reason)}, expires: ${JSON.stringify(expires)} }`;
}

export interface Acceptance {
  allowList: AllowList;
  baseline?: Pick<DriftReport, "findings"> | undefined;
  now: Date;
  /** Resources that the check leaves out. An entry for one of them is not noted. */
  omitted?: readonly Place[];
}

/** A resource in a finding or in a state. A resource that this version cannot read has no URN here. */
type Place = Pick<Finding, "address"> & Partial<Pick<Finding, "urn">>;

/**
 * Sorts findings, and marks those as accepted that the allow-list or an earlier report contains. A note reports each
 * entry of the allow-list that does not match any finding.
 */
export function sorted(
  findings: readonly Finding[],
  { allowList: { accept }, baseline, now, omitted = [] }: Acceptance,
): { findings: Finding[]; notes: string[] } {
  const entries = accept.map((entry) => ({ ...entry, ...matchersOf(entry) }));
  const used = new Set<AllowEntry>();
  const baselineKeys = new Set(baseline?.findings.map(keyOf));
  const classified = findings.map((finding) => {
    if (finding.bucket !== "drift") return finding;
    const matching = entries.filter(({ matches }) => matches(finding));
    for (const entry of matching) used.add(entry);
    const valid = matching.find((entry) => !isExpired(entry, now));
    if (valid) return accepted(finding, until(valid));
    if (addressesOf(finding).some((address) => baselineKeys.has(keyOf({ ...finding, address }))))
      return accepted(finding, "in the baseline");
    const [expired] = matching;
    if (!expired) return finding;
    const expiry = `the allow-list entry for this difference expired on ${expired.expires}`;
    return { ...finding, reason: finding.reason ? `${finding.reason}; ${expiry}` : expiry };
  });
  const notes = entries
    .filter((entry) => !used.has(entry) && !omitted.some(entry.isFor))
    .map(
      ({ address, path = "" }) => `the allow-list entry for ${address}${path && ` ${path}`} does not match any finding`,
    );
  return { findings: classified.sort(byPlace), notes };
}

const accepted = (finding: Finding, reason: string): Finding => ({ ...finding, bucket: "accepted", reason });

const until = ({ reason, expires }: AllowEntry): string => (expires ? `${reason} (until ${expires})` : reason);

/** Whether an entry has expired. It is valid until the end of its expiry date. */
const isExpired = ({ expires }: AllowEntry, now: Date): boolean =>
  expires !== undefined && expires < now.toISOString().slice(0, 10);

/** Whether an entry is for a resource, and whether it accepts a finding. */
function matchersOf({ address, path: container }: AllowEntry) {
  const [ofAddress, ofPath] = [wildcard(address), wildcard(container ?? "*")];
  const isFor = (place: Place): boolean => [...addressesOf(place), place.urn ?? ""].some((one) => ofAddress.test(one));
  const matches = (finding: Finding): boolean => {
    const { path = "" } = finding;
    return isFor(finding) && (ofPath.test(path) || isInside(path, container));
  };
  return { isFor, matches };
}

/** Whether a path is nested in another one, as `/rules/inbound` is in `/rules`. */
const isInside = (path: string, container: string | undefined): boolean =>
  container !== undefined && path.startsWith(`${container}/`);

/** Identifies a finding across reports: by address, type, path and values. */
const keyOf = ({ address, type, path, expected, actual }: Finding): string =>
  JSON.stringify([address, type, path, expected, actual]);

/**
 * The address of a resource, with and without its organization, because allow-lists and baselines can be older than the
 * stack of the same name in another organization.
 */
const addressesOf = ({ address, urn = "" }: Place): string[] => [address, addressOf(urn) ?? address];

const byPlace = (a: Finding, b: Finding): number =>
  alphabet.compare(a.address, b.address) || alphabet.compare(a.path ?? "", b.path ?? "");
