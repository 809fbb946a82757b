import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { TimeLimit } from "../../../provider/pulumi/time-limit";
import { stackOption } from "../../../stack/address";
import { Pulumi, withoutPasswords } from "../../../stack/pulumi";
import { newFolder } from "../../folder";

const folder = newFolder();

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test.each([
  ["postgres://team:hunter2@db/pulumi", "postgres://team:…@db/pulumi"],
  ["postgres://db/pulumi?user=team&password=hunter2", "postgres://db/pulumi?…"],
  ["error: open 'postgres://db/p?password=hunter2': no route", "error: open 'postgres://db/p?…': no route"],
  ["file:///home/me/states", "file:///home/me/states"],
  ["is this right?", "is this right?"],
])("the address of a backend is shown without passwords: %s", (text, shown) => {
  expect(withoutPasswords(text)).toBe(shown);
});

test("commands that are printed name the stack if the user has named one", () => {
  expect(stackOption({ stack: undefined })).toBe("");
  expect(stackOption({ stack: "acme/prod" })).toBe(" --stack acme/prod");
});

test("the error about a missing Pulumi CLI explains how to install or name it", async () => {
  vi.stubEnv("PULUMI_CLI", "/nowhere/pulumi");
  await expect(new Pulumi(".", "dev").export()).rejects.toThrow(
    '"/nowhere/pulumi" could not be started: install the Pulumi CLI (https://www.pulumi.com/docs/install/), or name it in PULUMI_CLI',
  );
});

test.skipIf(process.platform === "win32")(
  "a command ends as soon as its Pulumi process has ended at the time limit",
  async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const cli = join(folder, "pulumi");
    writeFileSync(cli, "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
    vi.stubEnv("PULUMI_CLI", cli);
    const wait: TimeLimit["wait"] = (_, work) => {
      const ending = new AbortController();
      const ended = work(ending.signal);
      ending.abort();
      return ended;
    };
    // A real time limit does not wait until Pulumi has ended.
    await expect(new Pulumi(".", "dev", { wait } as TimeLimit).backend()).rejects.toThrow("whoami --json failed");
    expect(vi.getTimerCount()).toBe(0);
  },
);

test.skipIf(process.platform === "win32")(
  "neither the time limit nor Ctrl-C in the terminal ends the command that verifies a change",
  async () => {
    const cli = join(folder, "pulumi-group");
    // Fails without a process group of its own.
    writeFileSync(cli, `#!/bin/sh\nkill -s 0 -- -$$ && echo '{"version":3}'\n`, { mode: 0o755 });
    vi.stubEnv("PULUMI_CLI", cli);
    const wait: TimeLimit["wait"] = () => Promise.reject(new Error("the limit is reached"));
    const noted: TimeLimit["noted"] = (_, work) => work();
    const pulumi = new Pulumi(".", "dev", { wait, noted } as TimeLimit);
    expect(await pulumi.exportUninterrupted()).toEqual({ version: 3 });
    await expect(pulumi.export()).rejects.toThrow("the limit is reached");
    await expect(new Pulumi(".", "dev").export()).rejects.toThrow("pulumi stack export failed");
  },
);

test("a folder belongs to the project of the nearest folder above it", async () => {
  const [outer, inner] = [join(folder, "shop"), join(folder, "shop/services/api")];
  const source = join(inner, "src/routes");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(outer, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  writeFileSync(join(inner, "Pulumi.json"), '{"name":"api","runtime":"nodejs"}');
  expect(await new Pulumi(source, "dev").project()).toBe("api");
  expect(await new Pulumi(join(outer, "services"), "dev").project()).toBe("shop");
});

test.skipIf(process.platform === "win32")(
  "the stacks of a backend are those of all projects, with their full names",
  async () => {
    const cli = join(folder, "pulumi-with-projects");
    // Without the options, Pulumi lists the stacks of the project in the folder, by their short names.
    const script = `#!/bin/sh
stacks='{"name":"dev"}'
case " $* " in *" --all "*" --fully-qualify-stack-names "*)
  stacks='{"name":"organization/blog/dev"},{"name":"organization/shop/dev"}' ;;
esac
echo "[$stacks]"
`;
    writeFileSync(cli, script, { mode: 0o755 });
    vi.stubEnv("PULUMI_CLI", cli);
    expect(await new Pulumi(".", undefined).stackNames()).toEqual(["organization/blog/dev", "organization/shop/dev"]);
  },
);

test.skipIf(process.platform === "win32")("the error about output that is not JSON does not quote it", async () => {
  const cli = join(folder, "pulumi-text");
  writeFileSync(cli, "#!/bin/sh\necho 'warning: hunter2'\n", { mode: 0o755 });
  vi.stubEnv("PULUMI_CLI", cli);
  const failure = await new Pulumi(".", "dev").config().catch((error: Error) => error.message);
  expect(failure).toBe("pulumi config --json: the output is not JSON");
});

test.skipIf(process.platform === "win32")(
  "the error about a stack that does not exist names the stacks of the project",
  async () => {
    const cli = join(folder, "pulumi-with-stacks");
    const script = `#!/bin/sh
if [ "$1 $2" = "stack ls" ]; then echo '[{"name":"dev"},{"name":"prod"}]'; exit; fi
echo "error: no stack named 'prd' found" >&2; exit 255
`;
    writeFileSync(cli, script, { mode: 0o755 });
    vi.stubEnv("PULUMI_CLI", cli);
    const failure = await new Pulumi(".", "prd").export().catch((error: Error) => error.message);
    expect(failure).toBe(
      "pulumi stack export failed: error: no stack named 'prd' found. Stacks of this project: dev, prod",
    );
  },
);
