import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { examine } from "../../../cli/doctor";
import { accessFrom } from "../../../cli/doctor/access";
import { clockCheck, failureCheck, rateLimitCheck } from "../../../cli/doctor/service";
import { isInRange } from "../../../cli/doctor/versions";
import { type Emulator, startEmulator } from "../../../emulator";
import { addToken } from "../../../emulator/core/users";
import { connect } from "../../../provider/client";
import { ApiError } from "../../../provider/client/errors";
import { realTime } from "../../../provider/client/time";
import { version } from "../../../provider/client/version";
import type { RawConfig } from "../../../provider/pulumi/settings";
import { TimeLimit } from "../../../provider/pulumi/time-limit";
import { newFolder } from "../../folder";
import { exported } from "../../lifecycle/exported";

/**
 * A fake Pulumi CLI, which prints files next to it. The file `hang` names a command that does not end, and the first line
 * of the file `fail` one that fails with the other lines.
 */
const pulumi = `#!/bin/sh
here=$(dirname "$0")
[ "$(cat "$here/hang" 2>/dev/null)" = "$1 $2" ] && exec sleep 60
[ "$(head -n 1 "$here/fail" 2>/dev/null)" = "$1 $2" ] && { tail -n +2 "$here/fail" >&2; exit 1; }
case "$1 $2" in
  "version "*) cat "$here/version" ;;
  "whoami "*) echo '{"user":"ada","url":"https://api.pulumi.com"}' ;;
  "stack --show-name") echo dev ;;
  "stack export") cat "$here/state" ;;
  "config --json") if [ "$3" = --show-secrets ] && [ -f "$here/locked" ]; then echo "error: incorrect passphrase" >&2; exit 1; fi; cat "$here/config" ;;
esac
`;

const root = newFolder();
let emulator: Emulator;
let folder: string;
let bin: string;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  addToken(emulator.world, "reader", { scopes: ["volumes:read_only"] });
});
afterAll(() => emulator.close());

const write = (file: string, text: unknown): void => {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
};
const installed = (name: string, version: string): void =>
  write(`node_modules/${name}/package.json`, { name, version });

/** Prepares a folder without problems, which each test damages. */
beforeEach(() => {
  folder = mkdtempSync(join(root, "project-"));
  bin = join(folder, ".bin");
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  write("tsconfig.json", '{ "compilerOptions": { "strict": true, }, } // as in the guide');
  write("index.ts", 'import { Volume } from "pulumi-cloudinfra";\nnew Volume("data", { region: "us-east" });\n');
  installed("pulumi-cloudinfra", version);
  installed("@pulumi/pulumi", "3.270.0");
  installed("typescript", "5.9.3");
  installed("ts-node", "10.9.2");
  write(".bin/pulumi", pulumi);
  write(".bin/version", "v3.265.0");
  write(".bin/state", { version: 3, deployment: { secrets_providers: { type: "passphrase" } } });
  write(".bin/config", {});
  chmodSync(join(bin, "pulumi"), 0o755);
  cpSync(join(bin, "pulumi"), join(bin, "unused"));
  vi.stubEnv("PATH", `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`);
  for (const name of ["PULUMI_CLI", "PULUMI_BACKEND_URL", "CLOUDINFRA_DIALECT"]) vi.stubEnv(name, "");
  for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"]) vi.stubEnv(name, undefined);
  vi.stubEnv("PULUMI_HOME", join(folder, "pulumi-home"));
  vi.stubEnv("PULUMI_CONFIG_PASSPHRASE", "secret-passphrase");
  vi.stubEnv("CLOUDINFRA_URL", emulator.url);
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  emulator.requests.clear();
});

async function checks(options: { url?: string; token?: string; timeout?: string; project?: string } = {}) {
  using limit = new TimeLimit(options.timeout ?? "30s", () => {}, realTime);
  const report = await examine({ project: folder, json: false, timeout: "30s", ...options }, limit);
  return report.flatMap(({ checks }) => checks);
}

const problems = async (options = {}) => {
  const all = await checks(options);
  expect(JSON.stringify(all)).not.toContain("secret-");
  return all.filter(({ result }) => result === "problem").map(({ name, message, fix }) => [name, message, fix]);
};

/** The problems without what to do about them. */
const found = async (options = {}) => (await problems(options)).map(([name, message]) => [name, message]);

test("a good set-up has no problem, and takes at most five requests", async () => {
  const all = await checks();
  expect(all.filter(({ result }) => result === "problem")).toEqual([]);
  expect(all.find(({ name }) => name === "scopes")).toMatchObject({ message: "all scopes, enough for Volume" });
  expect(Object.values(emulator.requests.counts()).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5);
});

test("an old Pulumi CLI", async () => {
  write(".bin/version", "v3.100.0");
  expect(await problems()).toEqual([
    [
      "Pulumi CLI",
      `3.100.0 at ${bin}/pulumi; must be 3.216.0 or later, but below 4`,
      "Install the Pulumi CLI (https://www.pulumi.com/docs/install/) 3.216.0 or later, but below 4",
    ],
  ]);
});

test("PULUMI_CLI names no program", async () => {
  vi.stubEnv("PULUMI_CLI", "/does/not/exist");
  expect(await found()).toEqual([["Pulumi CLI", "PULUMI_CLI names /does/not/exist, which is not a program"]]);
});

test("a missing passphrase", async () => {
  vi.stubEnv("PULUMI_CONFIG_PASSPHRASE", undefined);
  vi.stubEnv("PULUMI_CONFIG_PASSPHRASE_FILE", undefined);
  expect(await found()).toEqual([["secrets", "encrypted with a passphrase, and PULUMI_CONFIG_PASSPHRASE is not set"]]);
});

test("a wrong passphrase, with a token that it encrypts", async () => {
  write(".bin/locked", "");
  write(".bin/config", { "cloudinfra:token": { secret: true } });
  expect(await found()).toEqual([["secrets", "incorrect passphrase"]]);
});

test("an unknown key of the configuration, with a suggestion and without its value", async () => {
  write(".bin/config", { "cloudinfra:tokn": { value: "secret-token", secret: false } });
  expect(await found()).toEqual([
    ["configuration", 'cloudinfra:tokn is not a setting of this provider; did you mean "cloudinfra:token"?'],
  ]);
});

test("a dead port", async () => {
  expect(await problems({ url: "http://127.0.0.1:1/v4" })).toEqual([
    [
      "connection",
      "127.0.0.1:1 cannot be reached (ECONNREFUSED)",
      'Start the emulator with "npx cloudinfra emulator --port 1", or correct the port',
    ],
  ]);
});

test("a name without an address, and an address without the version", async () => {
  expect(await found({ url: "https://service.invalid/v4" })).toEqual([
    ["DNS", expect.stringMatching(/^service\.invalid has no address/)],
  ]);
  expect(await found({ url: "http://127.0.0.1:4108" })).toEqual([["address", expect.stringMatching(/^--url/)]]);
});

test("two addresses", async () => {
  write(".bin/config", { "cloudinfra:url": { value: emulator.url, secret: false } });
  vi.stubEnv("CLOUDINFRA_URL", "http://127.0.0.1:1/v4");
  expect(await problems()).toEqual([
    [
      "second address",
      "CLOUDINFRA_URL (http://127.0.0.1:1/v4) is another address: drift, refresh and destroy use it, up and preview use cloudinfra:url",
      "Unset CLOUDINFRA_URL. If it is the right address, correct cloudinfra:url first",
    ],
  ]);
  vi.stubEnv("CLOUDINFRA_URL", "http://127.0.0.1:4108");
  expect(await problems()).toEqual([
    [
      "second address",
      expect.stringMatching(/^CLOUDINFRA_URL must be the http or https URL of the API with its version/),
      "Unset or correct CLOUDINFRA_URL",
    ],
  ]);
});

test("a token that is set together with an address is not sent to another one", async () => {
  await using other = await startEmulator({ pace: "instant" });
  const tokenOf = async (options = {}) => (await checks(options)).find(({ name }) => name === "token");
  expect(await tokenOf({ url: other.url })).toEqual({
    name: "token",
    result: "not checked",
    message: `CLOUDINFRA_TOKEN is for ${emulator.url}; set --token to check a token at this address`,
  });
  vi.stubEnv("CLOUDINFRA_TOKEN", "");
  write(".bin/config", {
    "cloudinfra:url": { value: emulator.url, secret: false },
    "cloudinfra:token": { value: emulator.token, secret: true },
  });
  expect(await tokenOf({ url: other.url })).toMatchObject({
    result: "not checked",
    message: `cloudinfra:token in the stack's configuration is for ${emulator.url}; set --token to check a token at this address`,
  });
  expect(other.requests.list()).toEqual([]);
  vi.stubEnv("CLOUDINFRA_URL", "");
  expect(await tokenOf()).toMatchObject({ result: "ok" });
  expect(await tokenOf({ url: other.url, token: other.token })).toMatchObject({ result: "ok" });
});

test("a token in plain text", async () => {
  write(".bin/config", { "cloudinfra:token": { value: emulator.token, secret: false } });
  expect(await problems()).toEqual([
    [
      "token in the configuration",
      "cloudinfra:token is in plain text",
      'Run "pulumi config set --secret cloudinfra:token", which asks for it',
    ],
  ]);
});

test("a wrong token, and none", async () => {
  expect(await found({ token: "secret-wrong" })).toEqual([
    ["token", "from --token: the API rejects it (401 Invalid Token)"],
  ]);
  vi.stubEnv("CLOUDINFRA_TOKEN", "");
  expect(await found()).toEqual([["token", "not set"]]);
});

test("a token without a scope that the program needs", async () => {
  expect(await problems({ token: "reader" })).toEqual([
    [
      "scopes",
      "the token lacks volumes:read_write (for Volume)",
      "Create a token that also has volumes:read_write; with read access, only previews, drift checks and imports work",
    ],
  ]);
});

test("a program needs no scopes for another project in one of its folders", async () => {
  write("shop/Pulumi.yaml", "name: imported\nruntime: nodejs\n");
  write("shop/index.ts", 'import { Domain } from "pulumi-cloudinfra";\nnew Domain("zone", {});\n');
  write("dns/records.ts", 'import { Tag } from "pulumi-cloudinfra";\nnew Tag("prod", { label: "prod" });\n');
  const [[, message] = []] = await problems({ token: "reader" });
  expect(message).toContain("for Volume");
  expect(message).toContain("Tag");
  expect(message).not.toContain("domains:");
});

test("a stack of another account", async () => {
  const inputs = { region: "us-east", label: "data" };
  const outs = { ...inputs, __account: "63B09D26-other http://127.0.0.1:9/v4" };
  const { state } = exported([{ kind: "Volume", id: "1", inputs, outs }]);
  write(".bin/state", state);
  expect(await found()).toEqual([
    ["stack's account", expect.stringContaining("belongs to account 63B09D26-other at http://127.0.0.1:9/v4, not to ")],
  ]);
});

test("a stack whose account is known only by its address", async () => {
  const { api, close } = connect(emulator);
  const { euuid } = await api.account.view();
  await close();
  const ownerOf = async (account: string, options = {}) => {
    const inputs = { region: "us-east", label: "data" };
    const outs = { ...inputs, __account: account };
    write(".bin/state", exported([{ kind: "Volume", id: "1", inputs, outs }]).state);
    return (await checks(options)).find(({ name }) => name === "stack's account");
  };
  const unknown = "it has the same address; whether it is the same account is not known, because";
  expect(await ownerOf(`${euuid} ${emulator.url}`)).toMatchObject({ result: "ok", message: "the same" });
  expect(await ownerOf(emulator.url)).toMatchObject({
    result: "not checked",
    message: `${unknown} the state does not contain its id`,
  });
  expect(await ownerOf(`${euuid} ${emulator.url}`, { token: "reader" })).toMatchObject({
    result: "not checked",
    message: `${unknown} the token cannot read its id`,
  });
});

test("TypeScript 7, a tsconfig without strict, and missing packages", async () => {
  installed("typescript", "7.0.2");
  write("tsconfig.json", '{ "compilerOptions": { /* nothing */ } }');
  installed("@pulumi/pulumi", "3.100.0");
  expect((await problems()).map(([name]) => name)).toEqual(["@pulumi/pulumi", "TypeScript", "tsconfig.json"]);
});

test("a native program without the plugin, and a plugin of another version", async () => {
  write("index.ts", 'import { Volume } from "pulumi-cloudinfra/native";\nnew Volume("data", { region: "us-east" });\n');
  expect(await found()).toEqual([["native plugin", expect.stringContaining("Pulumi.yaml does not name it")]]);
  const plugin = (path: string) => {
    write(path, "#!/bin/sh\necho 0.0.1\n");
    chmodSync(join(folder, path), 0o755);
  };
  plugin("node_modules/.bin/pulumi-resource-cloudinfra");
  vi.stubEnv("PATH", `${join(folder, "node_modules/.bin")}:${process.env.PATH}`);
  expect(await found(), "npx puts it on PATH, but not for Pulumi").toEqual([
    ["native plugin", expect.stringContaining("Pulumi.yaml does not name it")],
  ]);
  plugin(".bin/pulumi-resource-cloudinfra");
  expect(await found()).toEqual([["native plugin", expect.stringMatching(/^0\.0\.1 at .*, but the package is/)]]);
});

test("a folder of plugins that cannot be read does not hide the other checks", async () => {
  write("index.ts", 'import { Volume } from "pulumi-cloudinfra/native";\nnew Volume("data", { region: "us-east" });\n');
  write("pulumi-home/plugins", "a file");
  expect(await found()).toEqual([["native plugin", expect.stringMatching(/^not found: /)]]);
});

test.each([
  ["native", "pulumi-cloudinfra", "pulumi-cloudinfra/native", "migrate --to dynamic"],
  ["dynamic", "pulumi-cloudinfra/native", "pulumi-cloudinfra", "migrate --to native"],
] as const)("a state of %s resources and a program that imports %s", async (provider, imported, used, command) => {
  const outs = { region: "us-east", label: "data" };
  write(".bin/state", exported([{ kind: "Volume", id: "1", inputs: outs, outs }], { provider }).state);
  const programs = async () => (await checks()).filter(({ name }) => name === "program");
  write("index.ts", `import { Volume } from "${used}";\nnew Volume("data", { region: "us-east" });\n`);
  expect(await programs()).toEqual([]);
  write("index.ts", `import { Volume } from "${imported}";\nnew Volume("data", { region: "us-east" });\n`);
  expect(await programs()).toMatchObject([
    {
      result: "problem",
      message: `it imports "${imported}", but the state has resources of "${used}", so an update would create all objects again and delete these`,
      fix: expect.stringContaining(command),
    },
  ]);
});

test("dynamic resources in the state of a project whose runtime is not nodejs", async () => {
  const outs = { region: "us-east", label: "data" };
  const runtimes = async () => (await checks()).filter(({ name }) => name === "runtime");
  write(".bin/state", exported([{ kind: "Volume", id: "1", inputs: outs, outs }]).state);
  expect(await runtimes()).toEqual([]);
  write("Pulumi.yaml", "name: shop\nruntime: yaml\n");
  expect(await runtimes()).toEqual([
    {
      name: "runtime",
      result: "problem",
      message:
        'the state has dynamic resources, such as Volume "thing", but the runtime in Pulumi.yaml is yaml, and dynamic resources require nodejs',
      fix: 'Run "npx cloudinfra migrate --to native"',
    },
  ]);
  write(".bin/state", exported([{ kind: "Volume", id: "1", inputs: outs, outs }], { provider: "native" }).state);
  expect(await runtimes()).toEqual([]);
});

test("a proxy that rejects requests to the service", async () => {
  const proxy = createServer().on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  await new Promise<void>((ready) => void proxy.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void proxy.close());
  vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  expect(await problems({ url: "https://service.invalid/v4", token: "secret-token" })).toEqual([
    ["API", expect.stringContaining("Proxy response (403)"), "Check the connection above, the proxy and the address"],
  ]);
});

test("a service that responds with an error", async () => {
  emulator.faults.add({ kind: "status", status: 429, retryAfter: 1, times: 10 });
  expect(await found()).toEqual([["rate limit", expect.stringMatching(/^no requests left of/)]]);
  expect(Object.values(emulator.requests.counts())).toEqual([1]);
  emulator.faults.clear();
  emulator.faults.add({ kind: "html", status: 404, times: 10 });
  expect(await found()).toEqual([["API", expect.stringContaining("is not JSON")]]);
  emulator.faults.clear();
});

test.each([
  [{ kind: "status", status: 404 }, "responded to account.view with 404: ", /^Correct the address/],
  [{ kind: "status", status: 500 }, "responded to account.view with 500: ", /^Try again later$/],
] as const)("the request for the account fails: %o", async (fault, message, fix) => {
  emulator.faults.add({ ...fault, times: 10 });
  onTestFinished(() => emulator.faults.clear());
  expect(await problems()).toEqual([["API", expect.stringContaining(message), expect.stringMatching(fix)]]);
});

/** Starts a server that responds to each path with a status and a JSON body. */
async function service(paths: Record<string, [status: number, body: object]>): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url?.replace(/^\/v4|\?.*/g, "") ?? "";
    const [status, body] = paths[path] ?? [404, { errors: [{ reason: "Not found" }] }];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`;
}

test("another API at the address", async () => {
  const empty = await service({});
  expect(await problems({ url: empty, token: "t" })).toEqual([
    ["API", `${empty} responded to account.view with 404: Not found`, "Correct the address: it is that of another API"],
  ]);
  const other = await service({ "/account": [200, { user: "ada" }] });
  expect(await problems({ url: other, token: "t" })).toEqual([
    ["API", `${other} did not respond with an account`, "Correct the address: it is that of another API"],
  ]);
});

test("a service with the names of a dialect that is not set, and a dialect that is set for one without", async () => {
  write("index.ts", 'import { Instance } from "pulumi-cloudinfra";\nnew Instance("web", {});\n');
  await using other = await startEmulator({ pace: "instant", dialect: "linode" });
  expect(await problems({ url: other.url, token: other.token })).toEqual([
    [
      "objects",
      `${other.url} responded to instances.list with 404: Not found`,
      "Correct the address: it is that of another API; if the service has the names of linode, set cloudinfra:dialect",
    ],
  ]);
  write(".bin/config", { "cloudinfra:dialect": { value: "linode", secret: false } });
  expect(await found({ url: other.url, token: other.token })).toEqual([]);
  expect(await problems()).toEqual([
    [
      "objects",
      `${emulator.url} responded to instances.list with 404: Not found`,
      expect.stringMatching(/^Correct the address, or unset cloudinfra:dialect and CLOUDINFRA_DIALECT/),
    ],
  ]);
});

test("the address of a public service without its dialect", () => {
  const problemAt = (url: string, config: RawConfig = {}, isUnread = false) => {
    const stack = { config, isTokenHidden: false, isUnread, resources: [], isNative: false };
    return accessFrom({ url, token: "t" }, stack).addressChecks.find(({ result }) => result === "problem");
  };
  expect(problemAt("https://api.linode.com/v4")).toEqual({
    name: "dialect",
    result: "problem",
    message: "not set, but api.linode.com has the names of linode",
    fix: 'Run "pulumi config set cloudinfra:dialect linode" or set CLOUDINFRA_DIALECT=linode',
  });
  expect(problemAt("https://api.linode.com/v4", { "cloudinfra:dialect": "linode" })).toBeUndefined();
  expect(problemAt("https://api.linode.com/v4", {}, true), "the stack can set it").toBeUndefined();
  expect(problemAt("https://notlinode.com/v4")).toBeUndefined();
  const failure = new ApiError("instances.list", 404, [{ reason: "Not found" }]);
  const service = { url: new URL("https://api.linode.com/v4"), dialect: undefined };
  expect(failureCheck("objects", failure, service)).toMatchObject({
    message: "https://api.linode.com/v4 responded to instances.list with 404: Not found",
    fix: 'Run "pulumi config set cloudinfra:dialect linode", because api.linode.com has other names',
  });
});

test("a list that fails or does not end, and one that the token cannot read", async () => {
  const account = { euuid: "A1", email: "ada@example.com" };
  const forbidden = { errors: [{ reason: "Forbidden" }] };
  const url = await service({ "/account": [200, account], "/volumes": [403, forbidden] });
  const objects = (await checks({ url, token: "t" })).find(({ name }) => name === "objects");
  expect(objects).toMatchObject({ result: "not checked", message: "the token cannot list them" });
  const fails = async (fault: Parameters<typeof emulator.faults.add>[0]) => {
    emulator.faults.add({ path: "volumes.list", times: 10, ...fault });
    onTestFinished(() => emulator.faults.clear());
    const all = await problems();
    emulator.faults.clear();
    return all;
  };
  expect(await fails({ kind: "status", status: 503 })).toEqual([
    ["objects", expect.stringContaining("responded to volumes.list with 503"), "Try again later"],
  ]);
  expect(await fails({ kind: "status", status: 429 })).toEqual([
    ["objects", "not counted, because the rate limit is reached", "Wait, and then try again"],
  ]);
  expect(await fails({ kind: "stall-before" })).toEqual([
    ["objects", expect.stringMatching(/^no response in time: volumes\.list/), "Check the network, or try again later"],
  ]);
}, 30_000);

test.each([
  ["whoami --json", "backend", "pulumi whoami --json"],
  ["stack export", "stack", "pulumi stack export"],
  ["config --json", "stack", "pulumi config --json"],
])(
  "pulumi %s does not end",
  async (command, name, shown) => {
    write(".bin/hang", command);
    const all = await checks({ timeout: "4s" });
    expect(all.filter(({ result }) => result === "problem")).toEqual([
      {
        name,
        result: "problem",
        message: `${shown} did not end within the time limit of 4s. To allow more time, set --timeout`,
        fix: expect.any(String),
      },
    ]);
    expect(all).toContainEqual({
      name: "connection",
      result: "not checked",
      message: "no time was left; to allow more time, set --timeout",
    });
  },
  30_000,
);

const unset = () => {
  vi.stubEnv("CLOUDINFRA_URL", "");
  vi.stubEnv("CLOUDINFRA_TOKEN", "");
};

test.each([
  ["there is no Pulumi CLI", () => vi.stubEnv("PULUMI_CLI", "/does/not/exist"), "Pulumi CLI"],
  [
    "the backend requires a login",
    () => write(".bin/fail", "whoami --json\nerror: PULUMI_ACCESS_TOKEN must be set"),
    "backend",
  ],
  [
    "no stack is selected",
    () => write(".bin/fail", "stack --show-name\nerror: no stack selected; please use"),
    "stack",
  ],
  ["the state cannot be used", () => write(".bin/fail", "stack export\nerror: passphrase of the backend"), "stack"],
  ["Pulumi.yaml is not valid", () => write("Pulumi.yaml", "name: [\n"), "Pulumi.yaml"],
])("the address and the token are not checked if %s, because the stack can set them", async (_, damage, name) => {
  unset();
  damage();
  const all = await checks();
  expect(all.filter(({ result }) => result === "problem").map((check) => check.name)).toEqual([name]);
  for (const setting of ["address", "token"])
    expect(all).toContainEqual({
      name: setting,
      result: "not checked",
      message: "the stack's configuration was not read",
    });
});

test("the address is not checked if it cannot be decrypted", async () => {
  unset();
  write(".bin/locked", "");
  write(".bin/config", { "cloudinfra:url": { secret: true }, "cloudinfra:token": { secret: true } });
  expect(await found()).toEqual([["secrets", "incorrect passphrase"]]);
});

test("a configuration that is not valid does not hide the other checks", async () => {
  unset();
  write(".bin/fail", "config --json\nerror: invalid YAML file: yaml: line 6: did not find expected node content");
  expect(await problems()).toEqual([
    [
      "configuration",
      "invalid YAML file: yaml: line 6: did not find expected node content",
      `Correct ${join(folder, "Pulumi.dev.yaml")}`,
    ],
  ]);
});

test("why the selected stack is not known", async () => {
  write(".bin/fail", "stack --show-name\nerror: the workspace is damaged");
  expect(await found()).toEqual([["stack", "the workspace is damaged"]]);
});

test("a state of a newer format does not hide the other checks", async () => {
  write(".bin/state", { version: 99, deployment: {} });
  write(".bin/config", { "cloudinfra:tokn": { value: "secret-token", secret: false } });
  expect((await found()).map(([name]) => name)).toEqual(["stack", "configuration"]);
});

test.each([
  ["an alias without an anchor", () => write("Pulumi.yaml", "name: *shop\n")],
  ["a folder", () => mkdirSync(join(folder, "folder/Pulumi.yaml"), { recursive: true })],
])("a Pulumi.yaml that is %s does not hide the other checks", async (what, damage) => {
  damage();
  const project = what === "a folder" ? join(folder, "folder") : folder;
  const all = await checks({ project });
  expect(all.filter(({ result }) => result === "problem")).toMatchObject([
    { name: "Pulumi.yaml", message: expect.stringContaining(join(project, "Pulumi.yaml")) },
  ]);
  expect(all).toContainEqual(expect.objectContaining({ name: "API", result: "ok" }));
});

const response = (headers: Record<string, string>) =>
  ({ operation: "account.view", method: "GET", url: "", attempt: 1, ms: 100, status: 200, headers }) as const;

test("a clock that differs by a minute or more, except from an emulator on this machine", () => {
  const date = "Tue, 24 Nov 2026 05:00:00 GMT";
  const at = (seconds: number, url = "https://api.example.com/v4") =>
    clockCheck(response({ date }), Date.parse(date) + seconds * 1000, new URL(url));
  expect(at(59).result).toBe("ok");
  expect(at(-61)).toMatchObject({ result: "problem", message: "this machine is 61 seconds behind the service" });
  expect(at(300)).toMatchObject({ result: "problem", message: "this machine is 4 minutes ahead of the service" });
  expect(at(300, "http://127.0.0.1:4108/v4").result).toBe("ok");
});

test("a rate limit that is used up", () => {
  const headers = { "x-ratelimit-limit": "1600", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "100" };
  expect(rateLimitCheck(response(headers), 60_000)).toMatchObject({
    result: "problem",
    message: "no requests left of 1600, resets in 40 s",
  });
});

test.each([
  ["22.18.9", ">=22.19", false],
  ["v22.19.0", ">=22.19", true],
  ["24.0.0", ">=22.19", true],
  ["v3.216.0-dev", "^3.216.0", true],
  ["4.0.0", "^3.216.0", false],
  ["", "^3.216.0", undefined],
])("version %s is in the range %s: %s", (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});
