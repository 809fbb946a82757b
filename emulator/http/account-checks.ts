import { isDeepStrictEqual } from "node:util";
import { type Image, reasons, sameTag } from "../../api";
import { ErrorResponse, type Reasons } from "../core/error-response";
import type { Row, Table } from "../core/store";
import type { Caller } from "./auth";

/**
 * The tags to store. Only unrestricted users can add or change tags, but others can send back the tags that the object
 * has, which then stay unchanged. The documentation requires this for instances, and the emulator requires it for all
 * objects with tags (part 1 · Endpoints · Compute instances · rule 6).
 */
export function allowedTags<T extends readonly string[] | undefined>(
  caller: Caller,
  tags: T,
  current: readonly string[],
): T | undefined {
  if (!caller.restricted) return tags;
  if (tags && !isDeepStrictEqual(asSet(tags), asSet(current)))
    throw new ErrorResponse(403, "Only unrestricted users can add or change tags", "tags");
  return undefined;
}

const asSet = (tags: readonly string[]): ReadonlySet<string> => new Set(tags.map(sameTag));

/** Public images are visible without a token. Private images require a token and, for restricted users, a grant. */
export const seesImage = (caller: Caller, image: Readonly<Image>): boolean =>
  image.is_public || (caller.username !== null && caller.may("image", image.id, "read_only"));

export function requireFreeLabel<R extends Row & { label: string }>(
  table: Table<R>,
  problems: Reasons,
  label: string,
  self?: R["id"],
): void {
  const isTaken = table.by("label", label as R["label"]).some(({ id }) => id !== self);
  problems.addUnless(!isTaken, reasons.labelTaken, "label");
}

/** Maximum length of the labels of instances and load balancers. */
const MAX_LABEL = 32;

/** The given label, with a number at its end if another object of the table has the label. */
export function freeLabel<R extends Row & { label: string }>(table: Table<R>, label: string): string {
  let free = label;
  for (let more = 2; table.by("label", free as R["label"]).length > 0; more++) {
    const end = `-${more}`;
    free = `${label.slice(0, MAX_LABEL - end.length).replace(/[-_.]+$/, "")}${end}`;
  }
  return free;
}
