import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "../folder";
import { nightly } from "../nightly";
import { checked, read, targetsOf } from "./deployment";
import { quickNpm, unreachableCode } from "./registry";

const root = join(__dirname, "../..");
const place = newFolder();
const execute = promisify(execFile);

const targets = targetsOf(read("Dockerfile"));
const argument = (target: string, name: string): string =>
  (targets[target] ?? []).findLast((instruction) => instruction.name === name)?.value ?? "";

test("the images run as the user with the id 1000, which owns the volume of the emulator's data", () => {
  for (const target of ["emulator", "cloudinfra"]) expect(argument(target, "USER"), target).toBe("1000:1000");
  expect(argument("emulator", "VOLUME")).toBe("/data");
  expect(argument("emulator", "RUN")).toBe("install -d -o node -g node /data");
});

test("the images contain this version of the package, and the same Node.js", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(argument("package", "COPY")).toBe(`pulumi-cloudinfra-${version}.tgz ./`);
  const bases = Object.values(targets).map(([from]) => from?.value.split(" ")[0]);
  expect(bases).toEqual(Array(3).fill("node:24.21.0-bookworm-slim"));
});

/** The files of the image are in a folder of this machine, as if it were the root of the image. */
const image = join(place, "image");
const inImage = (text: string) => text.replace(/(?<![\w.:])\/(?=(opt|data)\b)/g, `${image}/`);
const words = (target: string, name: string): string[] => JSON.parse(inImage(argument(target, name)));

nightly(
  "the image of the emulator installs the package, starts an emulator that becomes healthy, and keeps its data in the volume",
  async ({ skip }) => {
    const [package_, data] = [join(image, "opt/cloudinfra"), join(image, "data")];
    for (const path of [package_, data]) mkdirSync(path, { recursive: true });
    await execute("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", package_], { cwd: root });
    const installing = argument("package", "RUN");
    const installed = await execute("sh", ["-ec", installing], {
      cwd: package_,
      env: { ...process.env, ...quickNpm },
    }).catch((error) => {
      if (unreachableCode(error.stderr) === undefined) throw error;
      return undefined;
    });
    if (!installed) return skip("the npm registry cannot be reached");
    const PATH = inImage(argument("emulator", "ENV"))
      .replace("PATH=", "")
      .replace("$PATH", process.env.PATH ?? "");
    const [command = "", ...args] = [...words("emulator", "ENTRYPOINT"), ...words("emulator", "CMD")];
    expect(existsSync(join(data, "account.db"))).toBe(false);
    const emulator = spawn(command, [...args, "--port", "0"], { env: { ...process.env, PATH }, cwd: data });
    onTestFinished(() => void emulator.kill("SIGKILL"));
    const [ready] = (await once(emulator.stdout, "data")) as [Buffer];
    const [, port = ""] = /^ready http:\/\/127\.0\.0\.1:(\d+)\/v4 token emulator console /.exec(`${ready}`) ?? [];
    const [options = "", check = "[]"] = argument("emulator", "HEALTHCHECK").split("CMD ");
    expect(options).toContain("--timeout=3s");
    const [node = "", ...probe] = JSON.parse(check.replace("127.0.0.1:4108", `127.0.0.1:${port}`)) as string[];
    const health = () => checked(node, probe, { PATH });
    expect(await health()).toMatchObject({ code: 0 });
    emulator.kill("SIGTERM");
    expect(await once(emulator, "close")).toEqual([0, null]);
    expect(await health()).toMatchObject({ code: 1 });
    expect(existsSync(join(data, "account.db"))).toBe(true);
    // The native plugin is on the PATH of the other image, where Pulumi finds it.
    expect(inImage(argument("cloudinfra", "ENV"))).toContain(`${package_}/node_modules/.bin:`);
    const { output } = await checked("pulumi-resource-cloudinfra", ["--version"], { PATH });
    expect(output).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
  900_000,
);
