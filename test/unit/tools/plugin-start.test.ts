import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Script } from "node:vm";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";

const file = resolve(__dirname, "../../../tools/plugin/start.ts");
const start = transformSync(readFileSync(file, "utf8"), { loader: "ts", format: "cjs" }).code;
const plugin = '(function (exports, require) { require("the plugin").started(); })';

/** Starts an executable with these assets, with the part of `node:sea` that Node 22.19 has. Returns what it starts. */
function started(assets: Record<string, Buffer>): string[] {
  const events: string[] = [];
  const modules: Record<string, unknown> = {
    "node:sea": {
      getRawAsset(name: string): ArrayBuffer {
        const { buffer, byteOffset, byteLength } = assets[name] ?? {};
        if (!buffer) throw new Error("ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND");
        return buffer.slice(byteOffset, (byteOffset ?? 0) + (byteLength ?? 0)) as ArrayBuffer;
      },
    },
    "the plugin": { started: () => events.push("plugin") },
  };
  const requires = createRequire(__filename);
  const load = (name: string): unknown => modules[name] ?? requires(name);
  new Function("require", "exports", start)(load, {});
  return events;
}

test("the executable starts the plugin with Node 22.19, with and without compiled code", () => {
  const source = Buffer.from(plugin);
  const compiled = new Script(plugin, { filename: "plugin.js" }).createCachedData();
  expect(started({ "plugin.js": source })).toEqual(["plugin"]);
  expect(started({ "plugin.js": source, "plugin.cache": compiled })).toEqual(["plugin"]);
});

test("an executable without the plugin fails", () => {
  expect(() => started({})).toThrow("ASSET_NOT_FOUND");
});
