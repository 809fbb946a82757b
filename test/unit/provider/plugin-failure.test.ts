import { status } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { failureOf } from "../../../provider/plugin/failure";

const named = (name: string, cause?: Error): Error => Object.assign(new Error("it failed"), { name, cause });

test.each<[name: string, code: status]>([
  ["CancelledError", status.CANCELLED],
  ["InterruptedError", status.CANCELLED],
  ["ConfigurationError", status.INVALID_ARGUMENT],
  ["InvalidIdError", status.INVALID_ARGUMENT],
  ["SettingError", status.INVALID_ARGUMENT],
  ["DeadlineError", status.DEADLINE_EXCEEDED],
  ["ElsewhereError", status.FAILED_PRECONDITION],
  ["FunctionError", status.NOT_FOUND],
  ["MissingError", status.NOT_FOUND],
  ["NotFoundError", status.NOT_FOUND],
  ["UnreachableError", status.UNAVAILABLE],
  ["AmbiguousCreateError", status.UNKNOWN],
  ["TypeError", status.UNKNOWN],
])("Pulumi receives the code of the error: %s", (name, code) => {
  expect(failureOf(named(name)).code).toBe(code);
});

test.each(["AmbiguousCreateError", "UnknownCreateError", "UnusableCreateError"])(
  "an error that was caused by a create whose result is unknown has no other code: %s",
  (cause) => {
    expect(failureOf(named("MissingError", named(cause))).code).toBe(status.UNKNOWN);
  },
);
