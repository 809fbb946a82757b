import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { engine } from "../../testing/engine";

const program = (fails: boolean): string => `
import * as cloudinfra from "pulumi-cloudinfra";

interface Unused {
  size: number;
}

const data = new cloudinfra.Volume("data", {
  region: "us-east",
  size: 20,
});

export const label = data.label.apply((label) => {
  if (${fails}) throw new Error("the label " + typeof label);
  return label;
});
`;

test("stack traces and positions in state refer to the TypeScript program", async () => {
  await using emulator = await startEmulator({ pace: "instant" });
  const config = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
  await using stack = await engine({ program: { "index.ts": program(false) }, config });
  await stack.up();
  const { deployment } = await stack.export();
  const volume = deployment.resources?.find(({ type }) => type.endsWith(":Volume"));
  expect(volume?.sourcePosition).toMatch(/index\.ts#8,14$/);
  // State contains only the program's own stack frame. Those of Node.js and of Pulumi's launcher would take a quarter
  // of the state's size.
  expect(volume?.stackTrace).toEqual([{ sourcePosition: volume?.sourcePosition }]);
  await stack.write("index.ts", program(true));
  const { stdout, stderr } = await stack.preview([], { mayFail: true });
  expect(stdout + stderr).toMatch(/the label string[\s\S]*index\.ts:14:\d+/);
});
