import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { newFolder } from "../folder";
import { run } from "./command";

let emulator: Emulator;
const place = newFolder();
let env: Record<string, string>;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  env = { CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
});
afterAll(async () => {
  await emulator.close();
});

const api = (words: string, ...more: string[]) => run(["api", ...words.split(" "), ...more], { env });
const at = (name: string) => join(place, name);

describe("--file", () => {
  const bomb = Array.from({ length: 9 }, (_, i) => `k${i}: &k${i} [${`*k${i - 1},`.repeat(i ? 9 : 0)}x]`).join("\n");

  test.each([
    ["bomb.yaml", `${bomb}\nlabel: *k8\n`, "its aliases expand to too many values"],
    ["alias.yaml", "label: *nowhere\n", "has an alias without an anchor"],
    ["deep.json", `{"label": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`, "is nested too deeply"],
    ["deep.yaml", `label:\n  ${"- ".repeat(200_000)}x\n`, "is nested too deeply"],
    ["large.json", `{"label": "${"x".repeat(5_000_000)}"}`, "must be at most 4194304 bytes long"],
  ])("rejects %s with a message that names it", async (name, text, why) => {
    await writeFile(at(name), text);
    expect(await api("volumes create --file", at(name))).toEqual({
      code: 2,
      stdout: "",
      stderr: `cloudinfra: --file ${at(name)}: ${why}\n`,
    });
  });

  test.each(["volumes create", "oauth-clients update-thumbnail x"])(
    "%s stops reading an endless file",
    async (words) => {
      expect(await api(`${words} --file /dev/zero`)).toEqual({
        code: 2,
        stdout: "",
        stderr: "cloudinfra: --file /dev/zero: must be at most 4194304 bytes long\n",
      });
    },
  );
});

describe("--output", () => {
  const modeOf = async (name: string) => ((await stat(at(name))).mode & 0o777).toString(8);

  test("only the owner can read a file with secrets, even if the file existed before", async () => {
    const words = "oauth-clients create --label mine --redirect-uri https://example.org/back --output";
    await api(words, at("new.json"));
    expect(JSON.parse(await readFile(at("new.json"), "utf8"))).toHaveProperty("secret");
    expect(await modeOf("new.json")).toBe("600");
    await writeFile(at("old.json"), "x".repeat(5000));
    await chmod(at("old.json"), 0o644);
    await api(words, at("old.json"));
    expect(await modeOf("old.json")).toBe("600");
    expect(JSON.parse(await readFile(at("old.json"), "utf8"))).toHaveProperty("secret");
  });

  test("other files have default permissions, and permissions of devices do not change", async () => {
    await api("regions list --output", at("regions.json"));
    expect(await modeOf("regions.json")).toBe("644");
    const before = (await stat("/dev/null")).mode;
    await api("oauth-clients list --output /dev/null");
    expect((await stat("/dev/null")).mode).toBe(before);
  });
});

describe("the address", () => {
  test.each([
    "admin:geheim@host/v4",
    "https://admin:ge/heim@host/v4",
    "https://admin:geheim@host/v4",
    "https://admin:geheim%40host/v4",
    "//admin:geheim@host",
    "https://host/v4?token=geheim",
    "https://host/v4#geheim",
  ])("rejects %s without showing its secret", async (url) => {
    const { code, stderr } = await api("regions list --url", url);
    expect(code).toBe(2);
    expect(stderr).toContain("--url or CLOUDINFRA_URL must");
    expect(stderr).not.toMatch(/heim/);
  });

  test("warns once about plain http to another machine", async () => {
    const warning =
      "http://no-such-host.invalid is not encrypted: the token and all data can be intercepted. Use https.\n";
    const { code, stderr } = await api("volumes list --all --url http://no-such-host.invalid/v4");
    expect(code).toBe(3);
    expect(stderr.split(warning)).toHaveLength(2);
    expect((await api("regions list")).stderr).toBe("");
    expect((await api("regions list --url https://no-such-host.invalid/v4")).stderr).not.toContain("encrypted");
  });
});
