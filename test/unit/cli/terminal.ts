import { vi } from "vitest";

/** Simulates that standard output is a terminal until `restore` is called, and collects what commands print. */
export function terminal() {
  const before = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  const printed = { out: "", all: "" };
  Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text, ...more: unknown[]) => {
      printed.all += text;
      if (stream === process.stdout) printed.out += text;
      const done = more.at(-1);
      if (typeof done === "function") done();
      return true;
    });
  return {
    printed,
    restore() {
      vi.restoreAllMocks();
      process.exitCode = undefined;
      if (before) Object.defineProperty(process.stdout, "isTTY", before);
      else Reflect.deleteProperty(process.stdout, "isTTY");
    },
  };
}
