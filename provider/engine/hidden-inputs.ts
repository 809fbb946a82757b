import { randomBytes, scryptSync } from "node:crypto";
import { isObject } from "../../api";
import { canonicalInput } from "./comparison";
import { fieldOf, type Kind } from "./definition";
import { isReplacedBy } from "./diff";
import type { Attempt } from "./host";
import { isReturned } from "./observe";
import type { Bag } from "./values";

/**
 * Digests of the declared inputs that the API does not return, such as a password or the image of a disk, for the record
 * of a create request on disk. They can be secret, so each digest has a random salt and takes milliseconds.
 */
export const digestsOfHidden = (kind: Kind, want: Bag): Attempt["digests"] =>
  Object.fromEntries(
    hiddenInputs(kind).flatMap((key) => {
      const salt = randomBytes(16).toString("hex");
      return want[key] === undefined ? [] : [[key, `${salt} ${digest(kind, key, want, salt)}`]];
    }),
  );

/** The inputs that the API does not return and of which a create request had other values than the program declares. */
interface HiddenChanges {
  /** Inputs that only a create request applies, so the program declares another object. */
  replacing: string[];
  /** Inputs that an in-place update changes. */
  updatable: string[];
}

/** Compares the declared inputs with the digests of a create request. */
export function hiddenChanges(kind: Kind, want: Bag, recorded: Attempt["digests"]): HiddenChanges {
  // A record of an older version has no digests. The object is then continued, and its updatable inputs are applied.
  const changed = hiddenInputs(kind).filter((key) => (recorded ? !isSame(kind, key, want, recorded[key]) : true));
  const isFixed = (key: string): boolean => fieldOf(kind, key).change === "writeOnly" || isReplacedBy(kind, key, want);
  return {
    replacing: recorded ? changed.filter(isFixed) : [],
    updatable: changed.filter((key) => want[key] !== undefined && !isFixed(key)),
  };
}

const hiddenInputs = (kind: Kind): string[] =>
  Object.keys(kind.fields).filter((key) => !isReturned(kind, key) && fieldOf(kind, key).change !== "local");

function isSame(kind: Kind, key: string, want: Bag, recorded: string | undefined): boolean {
  if (want[key] === undefined || recorded === undefined) return want[key] === undefined && recorded === undefined;
  const [salt = "", known] = recorded.split(" ");
  return known === digest(kind, key, want, salt);
}

const digest = (kind: Kind, key: string, want: Bag, salt: string): string => {
  const value = canonicalInput(kind, key, want[key], want);
  return scryptSync(JSON.stringify({ [key]: value }, withSortedKeys), salt, 32, { N: 1024 }).toString("hex");
};

/** Pulumi passes the keys of an object in any order. */
const withSortedKeys = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
