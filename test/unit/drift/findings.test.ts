import { describe, expect, test } from "vitest";
import { allowListIn, type Finding } from "../../../drift";
import { allowLine, sorted } from "../../../drift/findings";
import { finding } from "./sample-report";

const now = new Date("2026-11-22T10:00:00Z");

const judged = async (yaml: string, group = [finding()], baseline?: { findings: Finding[] }) =>
  sorted(group, { allowList: await allowListIn(yaml), baseline, now });

/** A document of a few lines whose aliases expand to millions of values. */
const bomb = Array.from({ length: 9 }, (_, i) => `k${i}: &k${i} [${`*k${i - 1},`.repeat(i ? 9 : 0)}x]`).join("\n");

const entry = (text: string) => `accept:\n  - { ${text} }\n`;

describe("an entry of the allow-list", () => {
  test.each([
    ["the address", "address: shop/dev/Volume/data, reason: r"],
    ["the URN", 'address: "urn:pulumi:dev::shop::cloudinfra:index:Volume::data", reason: r'],
    ["a pattern", "address: shop/*/Volume/*, reason: r"],
    ["the path", "address: shop/dev/Volume/data, path: /size, reason: r"],
    ["a pattern of paths", "address: '*', path: '/s*e', reason: r"],
    ["the last day", "address: shop/dev/Volume/data, reason: r, expires: 2026-11-22"],
  ])("accepts findings by %s", async (_, text) => {
    const { findings, notes } = await judged(entry(text));
    expect(findings).toMatchObject([{ bucket: "accepted", reason: expect.stringMatching(/^r/) }]);
    expect(notes).toEqual([]);
  });

  test.each([
    ["another address", "address: shop/dev/Volume/dat, reason: r"],
    ["another path", "address: shop/dev/Volume/data, path: /label, reason: r"],
    ["the beginning of a path", "address: shop/dev/Volume/data, path: /siz, reason: r"],
    ["a text in which a period stands for itself", "address: shop/dev/Volume/dat., reason: r"],
  ])("does not accept findings by %s, and adds a note", async (_, text) => {
    const { findings, notes } = await judged(entry(text));
    expect(findings).toEqual([finding()]);
    expect(notes).toEqual([expect.stringContaining("does not match any finding")]);
  });

  test("accepts all differences below its path", async () => {
    const inside = finding({ path: "/rules/inbound/0/ports" });
    const { findings } = await judged(entry("address: '*', path: /rules, reason: r"), [inside]);
    expect(findings).toMatchObject([{ bucket: "accepted" }]);
  });

  test("is not valid after its expiry date, and the finding has a note", async () => {
    const { findings } = await judged(entry("address: '*', reason: r, expires: 2026-11-21"));
    expect(findings).toMatchObject([
      { bucket: "drift", reason: "the allow-list entry for this difference expired on 2026-11-21" },
    ]);
  });

  test("can be pasted from the output, and is valid for 30 days", async () => {
    const odd = finding({ address: 'shop/dev/Volume/a "b": {c}, #d*', path: "/tags/0" });
    const list = `accept:\n  ${allowLine(odd, now)}\n`;
    const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
    const accepted = async (at: Date) =>
      sorted([odd], { allowList: await allowListIn(list), now: at }).findings[0]?.bucket;
    expect(await accepted(later(30))).toBe("accepted");
    expect(await accepted(later(31))).toBe("drift");
  });
});

test("a finding in the baseline is accepted as long as its values are the same", async () => {
  const baseline = { findings: [finding()] };
  const { findings } = await judged("accept: []", [finding(), finding({ path: "/label", actual: '"x"' })], baseline);
  expect(findings).toMatchObject([
    { path: "/label", bucket: "drift" },
    { path: "/size", bucket: "accepted", reason: "in the baseline" },
  ]);
  expect((await judged("accept: []", [finding({ actual: "60" })], baseline)).findings).toMatchObject([
    { bucket: "drift" },
  ]);
});

test("properties that are not managed stay ignored, whatever the allow-list contains", async () => {
  const { findings } = await judged(entry("address: '*', reason: r"), [finding({ bucket: "ignored" })]);
  expect(findings).toMatchObject([{ bucket: "ignored" }]);
});

test.each([
  ["", undefined],
  ["accept:", undefined],
  ["# none at the moment\naccept:\n  # - { address: a, reason: r }\n", undefined],
  ["accept: [", "cloudinfra.drift.yaml is not valid YAML: "],
  [`${bomb}\naccept: *k8\n`, "cloudinfra.drift.yaml: its aliases expand to too many values"],
  ["accept: *nowhere", "cloudinfra.drift.yaml: has an alias without an anchor"],
  ["allow: []", "cloudinfra.drift.yaml: accept "],
  ["accept:\n  - { address: a }", "cloudinfra.drift.yaml: accept[0].reason "],
  ["accept:\n  - { address: a, reason: '  ' }", "cloudinfra.drift.yaml: accept[0].reason "],
  ["accept:\n  - { address: a, reason: r, expires: soon }", "cloudinfra.drift.yaml: accept[0].expires "],
  ["accept:\n  - { address: a, reason: r, path: size }", "cloudinfra.drift.yaml: accept[0].path "],
  ["accept:\n  - { adress: a, reason: r }", "cloudinfra.drift.yaml: accept[0].address "],
])("rejects the allow-list %j with the position of the error, or treats it as empty", async (text, message) => {
  if (message === undefined) expect(await allowListIn(text)).toEqual({ accept: [] });
  else await expect(allowListIn(text)).rejects.toThrow(message);
});
