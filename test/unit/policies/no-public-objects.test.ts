import { describe, expect, test } from "vitest";
import { noPublicObjects } from "../../../policies/rules/no-public-objects";
import { evaluate, typesOf, unknown } from "./evaluate";

const concerned = ["ObjectStorageBucket", "ObjectStorageObject"].flatMap((kind) =>
  typesOf(kind).map(([provider, type]) => [kind, provider, type] as const),
);

test.each(concerned)("a violation names resource, property, value and what is allowed: %s, %s", (kind, _, type) =>
  expect(evaluate(noPublicObjects, kind, { type, props: { acl: "public-read" } }).violations).toEqual([
    `${kind} "web": acl is "public-read". Allowed values are "private", "custom".`,
  ]),
);

describe("an ACL", () => {
  const violations = (acl: unknown, config?: object) =>
    evaluate(noPublicObjects, "ObjectStorageBucket", { props: { acl }, config }).violations.length;

  test.each(["public-read", "public-read-write", "authenticated-read"])("is rejected: %s", (acl) =>
    expect(violations(acl)).toBe(1),
  );
  test.each(["private", "custom", undefined, null])("is accepted: %s", (acl) => expect(violations(acl)).toBe(0));

  test("can be allowed by the configuration", () => {
    const config = { allowedAcls: ["private", "public-read"] };
    expect(violations("public-read", config)).toBe(0);
    expect(violations("custom", config)).toBe(1);
  });
});

test("an unknown ACL is undecided", () =>
  expect(evaluate(noPublicObjects, "ObjectStorageObject", { props: { acl: unknown } })).toEqual({
    violations: [],
    undecided: ".acl",
  }));
