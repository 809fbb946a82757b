import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { python } from "../../tools/install";
import { goModule } from "../../tools/release/sdks";

export const root = join(__dirname, "../..");
export const execute = promisify(execFile);

/** The version of this package, in package.json. */
export const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

/** The folder of the SDK that `make sdks` has generated for a language. */
export const sdk = (language: string): string => join(root, "sdks", language);

/** A machine that has Pulumi, Python, Go, their SDKs and the plugin's executable, but neither Node.js nor npm. */
export interface Machine extends Disposable {
  /** A temporary folder for programs. */
  folder: string;
  /** The path of the Python interpreter. */
  interpreter: string;
  env: Record<string, string>;
}

async function which(command: string): Promise<string> {
  const { stdout } = await execute("sh", ["-c", `command -v ${command}`]);
  return stdout.trim();
}

/** A folder of commands: Pulumi with its language hosts, Python and Go, but neither Node.js nor npm. */
export async function commandsWithoutNode(folder: string, interpreter: string): Promise<string> {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const pulumi = await which("pulumi");
  const hosts = ["python", "python-exec", "yaml", "go"].map((language) => `pulumi-language-${language}`);
  for (const name of hosts) {
    const beside = join(dirname(pulumi), name);
    symlinkSync(existsSync(beside) ? beside : await which(name), join(bin, name));
  }
  symlinkSync(pulumi, join(bin, "pulumi"));
  // Python and Go find their files by the paths of their commands, which a symbolic link from another folder would hide.
  const go = (await execute("go", ["env", "GOROOT"])).stdout.trim();
  const commands = { python: interpreter, python3: interpreter, go: join(go, "bin/go") };
  for (const [name, command] of Object.entries(commands))
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  await expect(execute("node", ["--version"], { env: { PATH: bin } })).rejects.toThrow("ENOENT");
  return bin;
}

/** Removes the SDK from Go's module cache. Otherwise, Go would not download a new build that has the same version. */
export async function removeFromGoCache(): Promise<void> {
  const { stdout } = await execute("go", ["env", "GOMODCACHE"]);
  for (const path of [`${goModule}@v${version}`, join("cache/download", goModule)]) {
    const folder = join(stdout.trim(), path);
    if (!existsSync(folder)) continue;
    await execute("chmod", ["-R", "u+w", folder]); // Go makes the files of modules read-only.
    rmSync(folder, { recursive: true });
  }
}

/**
 * Creates a folder with the layout of a Go module proxy, with the module zip of the Go SDK, and returns the variables with
 * which Go downloads the SDK from there.
 */
export async function goProxy(zip: string, folder: string): Promise<Record<string, string>> {
  const versions = join(folder, goModule, "@v");
  mkdirSync(versions, { recursive: true });
  cpSync(zip, join(versions, `v${version}.zip`));
  const read = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode(), end='')";
  const { stdout: mod } = await execute("python3", ["-c", read, zip, `${goModule}@v${version}/go.mod`]);
  writeFileSync(join(versions, `v${version}.mod`), mod);
  writeFileSync(join(versions, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
  writeFileSync(join(versions, "list"), `v${version}\n`);
  await removeFromGoCache();
  const { stdout: proxies } = await execute("go", ["env", "GOPROXY"]);
  return {
    GOPROXY: `file://${folder},${proxies.trim()}`,
    GONOSUMDB: goModule,
    ...goSettings,
  };
}

const goSettings = { GOFLAGS: "-mod=mod", GOWORK: "off", CGO_ENABLED: "0" };

export async function machine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), "languages-"));
  const interpreter = await python(join(__dirname, "requirements.txt"));
  const env = {
    PATH: await commandsWithoutNode(folder, interpreter),
    PULUMI_HOME: join(folder, "home"),
    PYTHONPATH: join(folder, "site"),
    ...goSettings,
  };
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--no-deps",
    "--no-warn-script-location",
  ];
  await execute(interpreter, [...pip, "--target", join(folder, "site"), sdk("python")]);
  const executable = join(root, "dist/plugin/pulumi-resource-cloudinfra");
  const install = ["plugin", "install", "resource", "cloudinfra", version, "--file", executable];
  await execute("pulumi", install, { env: { ...process.env, ...env, PULUMI_BACKEND_URL: `file://${folder}` } });
  return { folder, interpreter, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
