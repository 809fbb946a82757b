import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { EngineError, engine } from "../../testing/engine";
import { nightly } from "../nightly";

test("a program with outputs only: up, outputs, no changes, destroy", async () => {
  await using stack = await engine({
    program: {
      "index.js": `const { Config, secret } = require("@pulumi/pulumi");
        const config = new Config("cloudinfra");
        exports.url = config.require("url");
        exports.token = config.requireSecret("token");`,
    },
    config: { "cloudinfra:url": "http://127.0.0.1:1/v4", "cloudinfra:token": { secret: "planted" } },
  });

  const up = await stack.up();
  expect(up.code).toBe(0);
  expect(up.changes).toEqual({ create: 1 });
  expect(up.ops).toEqual({});
  expect(up.outputs).toEqual({ url: "http://127.0.0.1:1/v4", token: "[secret]" });
  expect(await stack.outputs()).toEqual({ url: "http://127.0.0.1:1/v4", token: "planted" });
  expect(JSON.stringify(await stack.export())).not.toContain("planted");

  await stack.preview(["--expect-no-changes"]);
  // With `--expect-no-changes`, Pulumi ignores changed outputs but reports new resources.
  await stack.write("index.js", `new (require("@pulumi/pulumi").ComponentResource)("local:index:Group", "new");`);
  const rejected = await stack.preview(["--expect-no-changes"], { mayFail: true });
  expect(rejected.code).not.toBe(0);
  expect(rejected.ops).toEqual({ "Group new": "create" });
  await expect(stack.preview(["--expect-no-changes"])).rejects.toThrow(
    /^pulumi preview --expect-no-changes: exit code/,
  );

  const destroyed = await stack.destroy();
  expect(destroyed.changes).toEqual({ delete: 1 });
  expect((await stack.export()).deployment.resources ?? []).toEqual([]);
});

nightly("each step of the engine is identified by kind and name", async () => {
  const program = (size: number, place: string, extra = "") => `
    import * as pulumi from "@pulumi/pulumi";
    const provider: pulumi.dynamic.ResourceProvider = {
      create: async (inputs) => {
        if (inputs.size < 0) throw new Error("size " + inputs.size + " is too small");
        return { id: "id-" + inputs.place, outs: inputs };
      },
      diff: async (_id, old, now) => ({
        changes: old.size !== now.size || old.place !== now.place,
        replaces: old.place === now.place ? [] : ["place"],
      }),
      update: async (_id, _old, inputs) => ({ outs: inputs }),
    };
    class Thing extends pulumi.dynamic.Resource {
      constructor(name: string, props: { size: number; place: pulumi.Input<string> }) { super(provider, name, props, undefined, "local", "Thing"); }
    }
    const one = new Thing("one", { size: ${size}, place: "${place}" });
    ${extra}`;
  await using stack = await engine({ program: { "index.ts": program(1, "here") } });

  expect((await stack.up()).ops).toEqual({ "Thing one": "create" });
  expect((await stack.refresh(["--preview-only", "--expect-no-changes"])).ops).toEqual({});

  await stack.write("index.ts", program(2, "here"));
  expect((await stack.up()).ops).toEqual({ "Thing one": "update" });

  // `two` depends on `one`, so that `one` is replaced first: after `two` fails, Pulumi starts no further operations.
  await stack.write("index.ts", program(2, "there", `new Thing("two", { size: -1, place: one.urn });`));
  const broken = await stack.up([], { mayFail: true });
  expect(broken.ops).toEqual({ "Thing one": "replace", "Thing two": "create failed" });
  expect(broken.diagnostics.map(({ message }) => message).join()).toContain("size -1 is too small");

  expect((await stack.destroy()).ops).toEqual({ "Thing one": "delete" });
});

test("disposal deletes the files and processes of a killed engine", async () => {
  const stack = await engine({
    program: { "index.js": `console.log("program", process.pid); setInterval(() => {}, 1000);` },
    timeoutMs: 60_000,
  });
  const running = stack.start(["preview"]);
  await running.until("program");
  running.kill("SIGKILL");
  const run = await running.done;
  expect(run.code).toBe(-1);
  const program = Number(/program (\d+)/.exec(run.stdout)?.[1]);
  await stack[Symbol.asyncDispose]();
  expect(existsSync(stack.home)).toBe(false);
  // Checks `exe` because an ended process stays in /proc as a zombie until its parent reaps it. A zombie has no
  // executable.
  await expect.poll(() => existsSync(`/proc/${program}/exe`)).toBe(false);
});

test("kills a command after its timeout and reports it", async () => {
  await using stack = await engine({ program: { "index.js": "setInterval(() => {}, 1000);" }, timeoutMs: 5_000 });
  const error = await stack.preview().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(EngineError);
  expect((error as Error).message).toContain("pulumi preview: no end after 5 s");
});
