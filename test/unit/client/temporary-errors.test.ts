import { expect, test } from "vitest";
import { cloud } from "../../../testing/cloud";

const UNLIMITED = Number.POSITIVE_INFINITY;

/** How often a request is sent that gets the same error response eleven times, with the default of four retries. */
test.each`
  status | reason              | read         | creation
  ${429} | ${undefined}        | ${UNLIMITED} | ${UNLIMITED}
  ${400} | ${"Compute busy."}  | ${UNLIMITED} | ${UNLIMITED}
  ${400} | ${"Volume is busy"} | ${1}         | ${1}
  ${404} | ${undefined}        | ${1}         | ${1}
  ${409} | ${undefined}        | ${1}         | ${1}
  ${500} | ${undefined}        | ${5}         | ${1}
  ${503} | ${"Try again"}      | ${5}         | ${1}
`("after $status $reason, a read is sent $read times and a creation $creation times", async (row) => {
  await using it = await cloud();
  const attempts = async (path: string, call: () => Promise<unknown>): Promise<number> => {
    it.emulator.faults.clear();
    it.emulator.requests.clear();
    const { status, reason } = row;
    it.emulator.faults.add({ path, kind: "status", status, times: 11, ...(reason && { reason }) });
    return call().then(
      () => UNLIMITED,
      () => it.emulator.requests.list().length,
    );
  };
  expect(await attempts("volumes.list", () => it.api.volumes.list())).toBe(row.read);
  const body = { label: "data", region: "us-east", size: 20 };
  expect(await attempts("volumes.create", () => it.api.volumes.create({ body }))).toBe(row.creation);
});
