import { expect, test } from "vitest";
import type { DriftReport } from "../../../../drift";
import type { Finding } from "../../../../drift/model";
import { OpenFindings } from "../../../../drift/watch/open-findings";
import { deleted, finding, report } from "./report";

/** The alerts after each of the reports, as `type kind path`. */
const alertsOf = (...reports: DriftReport[]): string[][] => {
  const open = new OpenFindings();
  return reports.map((one) =>
    open.update(one).map(({ type, finding: { name, path = "deleted" } }) => `${type} ${name} ${path}`),
  );
};

test("a finding is alerted once, and once more when it is resolved", () => {
  const [drift, none] = [report([finding()]), report([])];
  expect(alertsOf(drift, drift, none, none, drift)).toEqual([
    ["drift.found data /size"],
    [],
    ["drift.resolved data /size"],
    [],
    ["drift.found data /size"],
  ]);
});

test("a value that changes again is alerted as a change of the open finding", () => {
  expect(alertsOf(report([finding()]), report([finding({ actual: "60" })]), report([]))).toEqual([
    ["drift.found data /size"],
    ["drift.changed data /size"],
    ["drift.resolved data /size"],
  ]);
});

test("findings that are accepted or ignored are not alerted", () => {
  expect(alertsOf(report([finding({ bucket: "accepted" }), finding({ bucket: "ignored", path: "/tags" })]))).toEqual([
    [],
  ]);
});

test("accepting an open finding resolves it with the reason", () => {
  const open = new OpenFindings();
  open.update(report([finding()]));
  const accepted = finding({ bucket: "accepted", reason: "grown during the incident" });
  expect(open.update(report([accepted]))).toMatchObject([{ type: "drift.resolved", finding: accepted }]);
});

test("a finding of a resource that could not be checked stays open", () => {
  const unread = [{ kind: "Volume", reason: "missing scope", resources: ["shop/prod/Volume/data"] }];
  expect(alertsOf(report([finding()]), report([], { unread }), report([finding()]), report([]))).toEqual([
    ["drift.found data /size"],
    [],
    [],
    ["drift.resolved data /size"],
  ]);
});

test("a finding of a stack that failed stays open, unless another stack's token was enough to check it", () => {
  const failures = (resources: number): Partial<DriftReport> => ({
    failures: [{ stack: "shop/prod", reason: "the token is wrong", resources, exitCode: 4 }],
  });
  const unreadable = { ...failures(0), stacks: [] };
  const reports = [report([finding()]), report([], failures(12)), report([], unreadable), report([], failures(0))];
  expect(alertsOf(...reports)).toEqual([["drift.found data /size"], [], [], ["drift.resolved data /size"]]);
});

test("a finding stays open if the state of its stack cannot be read in a backend whose stacks have no projects", () => {
  const unreadable = (stack: string): Partial<DriftReport> => ({
    failures: [{ stack, reason: "its state is truncated", resources: 0, exitCode: 1 }],
    stacks: [],
  });
  expect(alertsOf(report([finding()]), report([], unreadable("prod")), report([], unreadable("od")))).toEqual([
    ["drift.found data /size"],
    [],
    ["drift.resolved data /size"],
  ]);
});

test("a deleted record stays open when its domain is deleted too", () => {
  const record = deleted("DomainRecord", "www");
  const domain = deleted("Domain", "zone", ["shop/prod/DomainRecord/www"]);
  expect(alertsOf(report([record]), report([domain]), report([]))).toEqual([
    ["drift.found www deleted"],
    ["drift.found zone deleted"],
    ["drift.resolved www deleted", "drift.resolved zone deleted"],
  ]);
});

test("a changed value stays open while its object is deleted, and is resolved once the object exists without it", () => {
  const [drift, missing] = [report([finding()]), report([deleted("Volume", "data")])];
  expect(alertsOf(drift, missing, missing, report([]))).toEqual([
    ["drift.found data /size"],
    ["drift.found data deleted"],
    [],
    ["drift.resolved data /size", "drift.resolved data deleted"],
  ]);
  expect(alertsOf(drift, missing, drift)).toEqual([
    ["drift.found data /size"],
    ["drift.found data deleted"],
    ["drift.resolved data deleted"],
  ]);
});

test("a changed record stays open while its domain is deleted", () => {
  const record = { address: "shop/prod/DomainRecord/www", urn: "urn:www", kind: "DomainRecord", name: "www" };
  const changed = report([finding({ ...record, path: "/target" })]);
  const domain = deleted("Domain", "zone", ["shop/prod/DomainRecord/www"]);
  expect(alertsOf(changed, report([domain]), report([]))).toEqual([
    ["drift.found www /target"],
    ["drift.found zone deleted"],
    ["drift.resolved www /target", "drift.resolved zone deleted"],
  ]);
});

test("accepting the deletion of an object also resolves what had changed before", () => {
  const accepted: Finding = { ...deleted("Volume", "data"), bucket: "accepted", reason: "not needed" };
  expect(alertsOf(report([finding()]), report([deleted("Volume", "data")]), report([accepted]))).toEqual([
    ["drift.found data /size"],
    ["drift.found data deleted"],
    ["drift.resolved data /size", "drift.resolved data deleted"],
  ]);
});

test("every alert has an id of its own", () => {
  const alerts = new OpenFindings().update(report([finding(), finding({ path: "/label" })]));
  expect(new Set(alerts.map(({ id }) => id)).size).toBe(2);
});
