import { expect, onTestFinished, test } from "vitest";
import { realTime } from "../../../provider/client/time";

test("a negative delay ends immediately, without a warning of Node.js", async () => {
  const warnings: string[] = [];
  const listen = ({ name }: Error) => void warnings.push(name);
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  await realTime.sleep(-0.5);
  await new Promise<void>((resolve) => realTime.timer(-1, resolve));
  expect(warnings).toEqual([]);
});
