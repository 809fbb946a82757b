import type { DriftReport, Finding } from "../../../drift";
import { type Limits, limits } from "../../../drift/scope";

const nasty = 'a|b`<script>alert("x")</script>\u001b[31m\u202e]]>&\u0000 @all';

export const finding = (more: Partial<Finding> = {}): Finding => ({
  address: "shop/dev/Volume/data",
  urn: "urn:pulumi:dev::shop::cloudinfra:index:Volume::data",
  kind: "Volume",
  name: "data",
  id: "1",
  title: 'Volume "data" (1)',
  bucket: "drift",
  type: "changed",
  path: "/size",
  expected: "20",
  actual: "40",
  allow: '- { address: "shop/dev/Volume/data", path: "/size", reason: "r" }',
  ...more,
});

/** The same value for every limit, also for one that is added later. */
export const limitsOf = (value: string[] | undefined): Limits =>
  Object.fromEntries(Object.keys(limits).map((name) => [name, value]));

/**
 * A report with every type of finding, and with labels that contain escape sequences and markup, to test that reports
 * escape them.
 */
export const sample: DriftReport = {
  schemaVersion: 1,
  failures: [{ stack: "shop/staging", reason: nasty, resources: 2, exitCode: 4 }],
  checkedAt: "2026-11-22T10:00:00.000Z",
  stacks: [
    { name: "shop/dev", resources: 3, foreign: 1 },
    { name: "shop/prod", resources: 0, foreign: 0 },
  ],
  ...limitsOf(["Domain", "LkeCluster"]),
  findings: [
    finding(),
    finding({ path: "/label", expected: JSON.stringify(nasty), actual: "not set", title: nasty }),
    finding({
      address: "shop/dev/Domain/zone",
      kind: "Domain",
      type: "deleted",
      children: ["shop/dev/DomainRecord/a"],
    }),
    finding({ bucket: "accepted", path: "/tags/0", reason: "an incident (until 2026-12-01)" }),
    finding({ bucket: "ignored", path: "/group", reason: "not declared in the program" }),
  ],
  unread: [{ kind: "Firewall", reason: `firewalls.list: 403 ${nasty}`, resources: ["shop/dev/Firewall/wall"] }],
  coverage: {
    resources: 3,
    checked: 2,
    notCompared: [{ address: "shop/dev/Instance/web", secret: ["rootPass"], notReturned: ["authorizedKeys"] }],
  },
  unmanaged: {
    managed: 2,
    percent: 66.6,
    objects: [{ kind: "Volume", id: "9", title: nasty, region: "us-east", adopt: "npx cloudinfra adopt Volume x 9" }],
  },
  objects: [
    {
      kind: "Instance",
      id: "7",
      title: 'Instance "web" (7)',
      address: "shop/dev/Instance/web",
      region: "us-east",
      status: "unchanged",
    },
    {
      kind: "Volume",
      id: "1",
      title: nasty,
      address: "shop/dev/Volume/data",
      region: "us-east",
      status: "drift",
      on: ["Instance/7"],
    },
    { kind: "Domain", id: "5", title: "Domain 5", address: "shop/dev/Domain/zone", status: "deleted" },
    { kind: "Volume", id: "9", title: nasty, region: "us-east", status: "unmanaged" },
  ],
  program: [{ address: "shop/dev/Volume/data", operation: "update", inputs: ["size"] }],
  notes: ["the allow-list entry for x does not match any finding"],
};

export const clean: DriftReport = {
  ...sample,
  ...limitsOf(undefined),
  findings: [],
  unread: [],
  notes: [],
  coverage: { resources: 3, checked: 3, notCompared: [] },
};
