import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiError, LostResponseError } from "../../../provider/client/errors";
import { version } from "../../../provider/client/version";
import { DynamicProvider } from "../../../provider/dynamic/provider";
import type { Kind } from "../../../provider/engine/definition";
import { InitFailed } from "../../../provider/engine/errors";
import type { Bag } from "../../../provider/engine/values";
import { textOf } from "../../../provider/pulumi/report";
import { kinds } from "../../../provider/resources";

afterEach(() => void vi.unstubAllEnvs());

const rejection = new ApiError("volumes.create", 400, [{ field: "label", reason: "Label must be unique" }]);
const sentence = "volumes.create: 400 label: Label must be unique";

describe("an expected error is one sentence", () => {
  test.each([
    ["a refusal of the service", rejection, sentence],
    [
      "a sentence of a kind",
      new Error('Instance 5 did not boot: its status is "offline"'),
      'Instance 5 did not boot: its status is "offline"',
    ],
    ["an object that is not finished", new InitFailed("1", {}, rejection, "all"), sentence],
  ])("%s", (_what, error, messages) => {
    expect(textOf(error)).toBe(messages);
  });

  test("with CLOUDINFRA_DEBUG it comes with its stack trace, and with those of its causes", () => {
    vi.stubEnv("CLOUDINFRA_DEBUG", "1");
    const [first, ...more] = textOf(new LostResponseError("volumes.create", "socket hang up", rejection)).split("\n");
    expect(first).toContain("volumes.create: the response was lost (socket hang up)");
    expect(more.join("\n")).toMatch(/^ +at .*report\.test/m);
    expect(more.join("\n")).toContain(`Caused by: ${rejection.stack?.split("\n")[0]}`);
  });
});

describe("a bug comes with its stack trace and asks for a report", () => {
  const report = `This is a bug in pulumi-cloudinfra ${version}. Please report it with this stack trace:`;

  test.each([
    ["an error of the language", new TypeError("Cannot read properties of undefined"), /^ +at .*report\.test/m],
    [
      "in what an unfinished object failed of",
      new InitFailed("1", {}, new RangeError("Invalid array length"), "all"),
      /^ +at .*report\.test/m,
    ],
    ["what is not an error", "boom", /^boom$/m],
  ])("%s", (_what, error, trace) => {
    const text = textOf(error);
    expect(text).toContain(report);
    expect(text).toMatch(trace);
  });

  test.each(["check", "diff", "create", "read", "update", "delete"] as const)(
    "in %s of the provider",
    async (method) => {
      const provider = new DynamicProvider(kinds.Volume as Kind, () => {
        throw new TypeError("this.#host is undefined");
      });
      const call = provider[method].bind(provider) as (...value: unknown[]) => Promise<unknown>;
      const value: unknown[] = /check|create/.test(method) ? [{}, {}] : ["1", {}, {}];
      const error: Error = await call(...value).then(
        () => expect.unreachable(),
        (failure) => failure,
      );
      expect(error.message).toContain(`this.#host is undefined\n${report}\n`);
      // For some calls, Pulumi prints an error's stack trace in addition to its message. A stack trace starts with the
      // message, which would be printed twice, so the provider sets it to an empty string.
      expect(error.stack).toBe("");
    },
  );

  test("an object that exists is still saved in state", async () => {
    const provider = new DynamicProvider(kinds.Volume as Kind, () => {
      throw new InitFailed("7", { label: "data" } as Bag, new TypeError("oops"), "all");
    });
    const error = await provider.create({ label: "data" }).catch((failure) => failure);
    expect(error).toMatchObject({ id: "7", properties: { label: "data" }, reasons: [expect.stringContaining(report)] });
  });
});

test("docs/configuration.md says how to see the stack traces of all errors", () => {
  const text = readFileSync(join(__dirname, "../../../docs/configuration.md"), "utf8");
  expect(text).toMatch(/`CLOUDINFRA_DEBUG` \| Set to any value to print stack traces with all errors\./);
});
