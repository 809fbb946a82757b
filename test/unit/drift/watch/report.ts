import type { DriftReport, Finding } from "../../../../drift";

/** A finding about the volume `data` in the stack `shop/prod`. */
export const finding = (overrides: Partial<Finding> = {}): Finding => ({
  address: "shop/prod/Volume/data",
  urn: "urn:pulumi:prod::shop::cloudinfra:index:Volume::data",
  kind: "Volume",
  name: "data",
  id: "640144",
  title: 'Volume "data" (640144)',
  bucket: "drift",
  type: "changed",
  path: "/size",
  expected: "20",
  actual: "40",
  allow: "- {}",
  ...overrides,
});

export const deleted = (kind: string, name: string, children?: string[]): Finding => {
  const { path: _, expected: __, actual: ___, ...common } = finding();
  const urn = `urn:pulumi:prod::shop::cloudinfra:index:${kind}::${name}`;
  const identity = { address: `shop/prod/${kind}/${name}`, urn, kind, name, title: `${kind} "${name}" (7)` };
  return { ...common, ...identity, type: "deleted", ...(children && { children }) };
};

/** The report of a check of the stack `shop/prod` with 12 resources. */
export const report = (findings: Finding[], overrides: Partial<DriftReport> = {}): DriftReport => ({
  schemaVersion: 1,
  checkedAt: "2026-11-24T21:00:00.000Z",
  stacks: [{ name: "shop/prod", resources: 12, foreign: 0 }],
  findings,
  unread: [],
  coverage: { resources: 12, checked: 12, notCompared: [] },
  objects: [],
  notes: [],
  ...overrides,
});
