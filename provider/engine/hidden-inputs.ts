import { randomBytes, scryptSync } from "node:crypto";
import { isEqual } from "./comparison";
import { fieldOf, type Kind } from "./definition";
import { isReturned } from "./observe";
import { type Bag, pick } from "./values";

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
  if (!Object.keys(hidden).length) return undefined;
  const salt = randomBytes(16).toString("hex");
  return `${salt} ${digest(hidden, salt)}`;
}

/** Whether a create request with this digest had the hidden inputs that the program declares now. */
export function isDigestOfHidden(kind: Kind, want: Bag, recorded = ""): boolean {
  const hidden = hiddenIn(kind, want);
  const [salt = "", known] = recorded.split(" ");
  return isEqual(hidden, {}) || known === digest(hidden, salt);
}

const digest = (hidden: Bag, salt: string): string =>
  scryptSync(JSON.stringify(hidden), salt, 32, { N: 1024 }).toString("hex");
