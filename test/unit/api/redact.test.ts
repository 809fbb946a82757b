import { expect, test } from "vitest";
import { z } from "zod";
import { hide, holdsSecret, redact, secretsIn } from "../../../api";

const secret = z.string().meta({ secret: true });

test.each([
  ["an optional record", z.strictObject({ a: secret.nullable().default(null) }).optional()],
  ["a list of forms", z.array(z.union([z.strictObject({ b: secret }), z.string()]))],
  ["a map", z.record(z.string(), z.strictObject({ c: secret }))],
  ["a pair", z.tuple([z.strictObject({ d: secret })])],
  ["a transformed record", z.strictObject({ e: secret }).transform((value) => value)],
])("%s contains a secret", (_, schema) => expect(holdsSecret(schema)).toBe(true));

test("hides secret fields, and shows the others", () => {
  const schema = z.strictObject({
    list: z.array(z.union([z.strictObject({ b: secret }), z.string()])),
    plain: z.string(),
  });
  expect(redact(schema, { list: [{ b: "x" }, "b"], plain: "x" })).toEqual({
    list: [{ b: "[secret]" }, "b"],
    plain: "x",
  });
});

test("does not mask a secret that is not set", () => {
  expect(redact(z.strictObject({ a: secret.nullable() }), { a: null })).toEqual({ a: null });
});

test("masks unknown fields next to a secret", () => {
  const schema = z.strictObject({ size: z.int(), login: z.strictObject({ root_pass: secret }) });
  expect(redact(schema, { size: 1, rootPas: "x", login: "x" })).toEqual({
    size: 1,
    rootPas: "[secret]",
    login: "[secret]",
  });
  expect(redact(z.strictObject({ size: z.int() }), { sise: 1 })).toEqual({ sise: 1 });
});

test("masks secrets by field name if the contract has no schema", () => {
  expect(redact(undefined, { user: { password: "x", name: "y" }, tokens: [{ access_token: "x" }] })).toEqual({
    user: { password: "[secret]", name: "y" },
    tokens: [{ access_token: "[secret]" }],
  });
});

test("shows the version of a secret", () => {
  expect(redact(undefined, { client_secret: "x", secret_version: "autumn" })).toEqual({
    client_secret: "[secret]",
    secret_version: "autumn",
  });
});

test("shows only the number of bytes", () => {
  expect(redact(z.unknown(), new Uint8Array(3))).toBe("[3 bytes]");
});

test("everything in a secret field is masked", () => {
  const schema = z.strictObject({ data: z.unknown().meta({ secret: true }), other: z.string() });
  const sent = { data: { one: "first", two: [2, null, true] }, other: "x" };
  expect(secretsIn(schema, sent)).toEqual(["first", "2"]);
});

test("removes a secret from a text in all escaped forms", () => {
  const messages = ['a "b/c', JSON.stringify('a "b/c'), encodeURIComponent('a "b/c')].map((text) => `no: ${text}`);
  expect(messages.map((text) => hide(text, ['a "b/c']))).toEqual(["no: [secret]", 'no: "[secret]"', "no: [secret]"]);
  expect(hide("it is on", ["on"])).toBe("it is on");
});

test("removes a secret from a text in encoded forms", () => {
  const token = "tök/en+1?42";
  const bytes = Buffer.from(token);
  const every = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const units = [...token].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  for (const form of [
    bytes.toString("base64"),
    bytes.toString("base64url"),
    every,
    every.toUpperCase(),
    units,
    `t%C3%B6k\\u002fen+1?42`,
    `t&#246;k&#x2F;en+1?42`,
  ])
    expect(hide(`no: ${form}.`, [token])).toBe("no: [secret].");
  // In longer encoded texts, at most the characters that the secret shares with its neighbours are left.
  for (const before of ["", "a", "ab", "user:"]) {
    const encoded = Buffer.from(`${before}${token}!`).toString("base64");
    const [start, end] = hide(encoded, [token]).split("[secret]") as [string, string];
    expect(Buffer.from(start, "base64").toString().slice(0, before.length)).toBe(before);
    expect(start.length + end.length).toBeLessThanOrEqual(Math.ceil(before.length / 3) * 4 + 4);
  }
  expect(hide("cGFzcw==", ["pass"])).toBe("cGFzcw==");
});
