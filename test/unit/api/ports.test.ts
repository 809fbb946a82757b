import { describe, expect, test } from "vitest";
import * as api from "../../../api";

describe("ports", () => {
  test.each([
    ["22", undefined],
    ["22,80, 443", undefined],
    ["8000-8999", undefined],
    ["1-65535", undefined],
    ["", /not ""/],
    ["0", /not "0"/],
    ["080", /leading zeroes, not "080"/],
    ["65536", /1 to 65535, not "65536"/],
    ["80-70", /above their start, not "80-70"/],
    ["80-80", /above their start/],
    ["22,  80", /not " 80"/],
    ["22 ,80", /not "22 "/],
    ["22,", /not ""/],
    ["1-2-3", /not "1-2-3"/],
    ["http", /not "http"/],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", undefined],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14-15", undefined],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15-16", /at most 15 pieces, not 16/],
  ])("%j: %s", (ports, problem) => {
    const reason = api.portProblem(ports);
    if (problem) expect(reason).toMatch(problem);
    else expect(reason).toBeUndefined();
  });

  test("are compared as sets of ports", () => {
    expect(api.canonicalPorts("443,80, 22,80")).toBe("22, 80, 443");
  });
});
