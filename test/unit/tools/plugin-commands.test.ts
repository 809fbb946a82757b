import { expect, test } from "vitest";
import { type Command, commandsFor } from "../../../tools/plugin/commands";

const lines = (commands: readonly Command[]): string[] =>
  commands.map(({ program, args }) => [program, ...args, "FILE"].join(" "));

test("on macOS, the signature of Node is removed, and the executable is signed once the plugin is in it", () => {
  const { before, after } = commandsFor("darwin");
  expect(lines(before)).toEqual(["codesign --remove-signature FILE"]);
  expect(lines(after)).toEqual(["codesign --sign - FILE"]);
});

test("the build fails if macOS cannot sign the executable, because it would not start", () => {
  const { before, after } = commandsFor("darwin");
  expect([...before, ...after].map(({ without }) => without)).toEqual([undefined, undefined]);
});

test.each(["linux", "win32"] as const)("on %s, debug symbols are removed if that is possible", (platform) => {
  const { before, after } = commandsFor(platform);
  expect(lines(before)).toEqual(["strip FILE"]);
  expect(before.map(({ without }) => without)).toEqual(["the executable keeps its debug symbols"]);
  expect(after).toEqual([]);
});
