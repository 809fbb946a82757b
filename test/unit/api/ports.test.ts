import { describe, expect, test } from "vitest";
import * as api from "../../../api";

describe("ports", () => {
  test.each([
    ["22", undefined],
    ["22,80, 443", undefined],
    ["8000-8999", undefined],
    ["1-65535", undefined],
    ["", /"" is neither/],
    ["0", /"0" is neither/],
    ["080", /leading zeros: "080" is neither/],
    ["65536", /1 to 65535: "65536" is out of range/],
    ["80-70", /above their start: "80-70" does not/],
    ["80-80", /above their start/],
    ["22,  80", /" 80" is neither/],
    ["22 ,80", /"22 " is neither/],
    ["22,", /"" is neither/],
    ["1-2-3", /"1-2-3" is neither/],
    ["http", /"http" is neither/],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", undefined],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14-15", undefined],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15-16", /at most 15 ports, where a range counts as two: it contains 16/],
  ])("%j: %s", (ports, problem) => {
    const reason = api.portProblem(ports);
    if (problem) expect(reason).toMatch(problem);
    else expect(reason).toBeUndefined();
  });

  test("are compared as sets of ports", () => {
    expect(api.canonicalPorts("443,80, 22,80")).toBe("22, 80, 443");
  });
});
