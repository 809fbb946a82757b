import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as api from "../../../api";

describe("rules", () => {
  const srv = { type: "SRV", target: "sip", priority: 0, weight: 0, port: 5060, service: "sip" };

  /**
   * Request bodies for DNS records, each with the validation rules and the schema that are applied to it, and the names
   * of the fields for which errors are expected.
   */
  const cases: [
    name: string,
    rules: readonly api.Rule<never>[],
    schema: z.core.$ZodType,
    body: object,
    fields: string,
  ][] = [
    ["A", api.recordRules, api.DomainRecordCreate, { type: "A", target: "192.0.2.1" }, ""],
    ["A of the caller", api.recordRules, api.DomainRecordCreate, { type: "A", target: "[remote_addr]" }, ""],
    ["A without target", api.recordRules, api.DomainRecordCreate, { type: "A" }, "target"],
    ["A with a period", api.recordRules, api.DomainRecordCreate, { type: "A", target: "192.0.2.1." }, "target"],
    [
      "A with zeros of other types",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "A", target: "192.0.2.1", priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null },
      "",
    ],
    ["A with a port", api.recordRules, api.DomainRecordCreate, { type: "A", target: "192.0.2.1", port: 80 }, ""],
    [
      "A with a port in a program",
      api.recordInputRules,
      api.DomainRecordCreate,
      { type: "A", target: "192.0.2.1", port: 80 },
      "port",
    ],
    ["AAAA of IPv4", api.recordRules, api.DomainRecordCreate, { type: "AAAA", target: "192.0.2.1" }, "target"],
    ["NS", api.recordRules, api.DomainRecordCreate, { type: "NS", target: "ns1.example.com." }, ""],
    [
      "CNAME of the domain itself",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CNAME", name: "", target: "example.com" },
      "name",
    ],
    [
      "CNAME to a bare label",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CNAME", name: "www", target: "web" },
      "target",
    ],
    ["Null MX", api.recordRules, api.DomainRecordCreate, { type: "MX", target: "" }, ""],
    [
      "Null MX with priority",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "MX", target: "", priority: 10 },
      "priority",
    ],
    ["MX to an address", api.recordRules, api.DomainRecordCreate, { type: "MX", target: "192.0.2.1" }, "target"],
    ["SRV", api.recordRules, api.DomainRecordCreate, srv, ""],
    [
      "SRV with nothing",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "SRV" },
      "target priority weight port service",
    ],
    ["CAA", api.recordRules, api.DomainRecordCreate, { type: "CAA", tag: "issue", target: "letsencrypt.org" }, ""],
    ["CAA for no issuer", api.recordRules, api.DomainRecordCreate, { type: "CAA", tag: "issuewild", target: ";" }, ""],
    [
      "CAA with a period",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CAA", tag: "issue", target: "letsencrypt.org." },
      "target",
    ],
    [
      "CAA to mail",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CAA", tag: "iodef", target: "mailto:a@example.org" },
      "",
    ],
    [
      "CAA to a host",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CAA", tag: "iodef", target: "example.org" },
      "target",
    ],
    ["CAA without tag", api.recordRules, api.DomainRecordCreate, { type: "CAA", target: "letsencrypt.org" }, "tag"],
  ];

  test.each(cases)("%s", (_, rules, schema, body, places) => {
    const found = api.breaches(rules as readonly api.Rule<unknown>[], z.parse(schema, body));
    expect(found.map(({ field }) => field)).toEqual(places.split(" ").filter(Boolean));
    for (const { reason } of found) expect(reason).toMatch(/^(must|is) /);
  });
});
