import { randomBytes, scryptSync } from "node:crypto";
import { isObject } from "../../api";
import { canonicalInput, isEqual } from "./comparison";
import { fieldOf, type Kind } from "./definition";
import { isReplacedBy } from "./diff";
import type { Attempt } from "./host";
import { isReturned } from "./observe";
import { type Bag, pick } from "./values";

/**
 * Digests of the inputs that the API does not return and that cannot change in place, such as the image of a disk, each
 * with a random salt. Undefined if the resource class has none.
 */
export function digestsOfFixed(kind: Kind, want: Bag): Attempt["fixed"] {
  const keys = Object.keys(kind.fields).filter((key) => isFixed(kind, key, want));
  if (!keys.length) return undefined;
  return Object.fromEntries(Object.keys(pick(want, keys)).map((key) => [key, salted(fixedInput(kind, key, want))]));
}

/** The fixed inputs of which the program declares other values now than a create request with these digests had. */
export const changedFixed = (kind: Kind, want: Bag, recorded: Attempt["fixed"]): string[] =>
  recorded === undefined
    ? []
    : Object.keys(kind.fields).filter((key) => {
        if (!isFixed(kind, key, want)) return false;
        const known = recorded[key];
        if (want[key] === undefined || known === undefined) return want[key] !== undefined || known !== undefined;
        return !isDigest(fixedInput(kind, key, want), known);
      });

const fixedInput = (kind: Kind, key: string, want: Bag): Bag => ({ [key]: canonicalInput(kind, key, want[key], want) });

const isFixed = (kind: Kind, key: string, want: Bag): boolean =>
  !isReturned(kind, key) && isReplacedBy(kind, key, want);

/** The declared inputs that the API does not return and that an update in place can change, such as a password. */
function hiddenIn(kind: Kind, want: Bag): Bag {
  const isHidden = (key: string): boolean => !isReturned(kind, key) && fieldOf(kind, key).change in (kind.steps ?? {});
  return pick(want, Object.keys(kind.fields).filter(isHidden).sort());
}

/**
 * A digest of the hidden inputs of a create request, for its record on disk. They can be secret, so the digest has a
 * random salt and takes milliseconds. Undefined if the program declares none.
 */
export function digestOfHidden(kind: Kind, want: Bag): string | undefined {
  const hidden = hiddenIn(kind, want);
  return Object.keys(hidden).length ? salted(hidden) : undefined;
}

/** Whether a create request with this digest had the hidden inputs that the program declares now. */
export function isDigestOfHidden(kind: Kind, want: Bag, recorded = ""): boolean {
  const hidden = hiddenIn(kind, want);
  return isEqual(hidden, {}) || isDigest(hidden, recorded);
}

function salted(inputs: Bag): string {
  const salt = randomBytes(16).toString("hex");
  return `${salt} ${digest(inputs, salt)}`;
}

function isDigest(inputs: Bag, recorded: string): boolean {
  const [salt = "", known] = recorded.split(" ");
  return known === digest(inputs, salt);
}

const digest = (inputs: Bag, salt: string): string =>
  scryptSync(JSON.stringify(inputs, withSortedKeys), salt, 32, { N: 1024 }).toString("hex");

/** Pulumi passes the keys of an object in any order. */
const withSortedKeys = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
