import type { Acl } from "../../../api";
import { element, xml } from "./object-protocol";

/**
 * The access that each ACL allows without an access key. Requests never come from other accounts' users, so `authenticated-read`
 * allows nothing.
 */
const everyone = {
  private: [],
  "public-read": ["read"],
  "authenticated-read": [],
  "public-read-write": ["read", "write"],
  custom: [],
} as const satisfies Record<Acl, readonly ("read" | "write")[]>;

export const everyoneMay = (acl: Acl, what: "read" | "write"): boolean =>
  (everyone[acl] as readonly string[]).includes(what);

/** The groups that the S3 protocol defines, with the permissions that each ACL grants them. */
const grants = {
  private: [],
  "public-read": [["AllUsers", "READ"]],
  "authenticated-read": [["AuthenticatedUsers", "READ"]],
  "public-read-write": [
    ["AllUsers", "READ"],
    ["AllUsers", "WRITE"],
  ],
  custom: [],
} as const satisfies Record<Acl, readonly (readonly [group: string, permission: string])[]>;

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

export const aclXml = (acl: Acl, owner: string): string =>
  xml("AccessControlPolicy", [
    ownerXml(owner),
    element("AccessControlList", [
      grant("CanonicalUser", element("ID", owner), "FULL_CONTROL"),
      ...grants[acl].map(([group, permission]) =>
        grant("Group", element("URI", `http://acs.amazonaws.com/groups/global/${group}`), permission),
      ),
    ]),
  ]);

export const ownerXml = (owner: string): string => element("Owner", [element("ID", owner)]);

const grant = (type: string, grantee: string, permission: string): string =>
  element("Grant", [`<Grantee ${XSI} xsi:type="${type}">${grantee}</Grantee>`, element("Permission", permission)]);
