import { spawn } from "node:child_process";
import { z } from "zod";
import { dialectNames } from "../api";
import { accountNames, type EmulatorOptions, type Snapshot, startEmulator } from "../emulator";
import { recoverData } from "../emulator/recovery";
import { UsageError } from "../stack/errors";
import { MAX_STATE_BYTES, readBytes } from "../stack/text-file";

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const Options = z.strictObject({
  port: integer(0, 65_535),
  pace: z.enum(["instant", "fast", "real"], "must be instant, fast or real"),
  seed: integer(0, 4_294_967_295).optional(),
  latency: integer(0, 600_000),
  shuffle: z.boolean(),
  log: z.boolean(),
  open: z.boolean(),
  dialect: z.enum(dialectNames, `must be ${dialectNames.join(" or ")}`).optional(),
  strict: z.boolean(),
  token: z.string().regex(/^\S+$/, "must not contain spaces"),
  data: z.string().optional(),
  recover: z.string().optional(),
  load: z.string().optional(),
  account: z.enum(accountNames, "must be empty, small or large"),
});

/**
 * Runs `cloudinfra emulator` until SIGINT or SIGTERM. Prints one line when it is ready, and with `--log` one for each
 * request. With `--recover`, only recovers a data file.
 */
export async function emulator(rawOptions: Readonly<Record<string, unknown>>): Promise<void> {
  const { load: file, data, seed, recover, log, open, ...options } = parsed(rawOptions);
  if (recover !== undefined && data !== undefined) {
    for (const line of recoverData(data, recover)) process.stdout.write(`${line}\n`);
    return;
  }
  let stop = (): void => process.exit(0);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop());
  const load = file === undefined ? undefined : await snapshotOf(file);
  const optional = {
    ...(data && { data }),
    ...(load && { load }),
    ...(seed !== undefined && { seed }),
    ...(log && { log: (line: string) => void process.stdout.write(`${line}\n`) }),
  };
  const { url, token, console: page, close } = await started({ ...options, ...optional }, file);
  stop = () =>
    void close().then(
      () => process.exit(0),
      (error: Error) => {
        process.stderr.write(`cloudinfra emulator: ${error.message}\n`);
        process.exit(1);
      },
    );
  process.stdout.write(`ready ${url} token ${token} console ${page}\n`);
  if (open) openBrowser(page);
}

/** The command that opens an address in the browser, by operating system. */
const openers: Partial<Record<NodeJS.Platform, readonly [command: string, ...words: string[]]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/** Opens the console in the user's browser. If that fails, the address in the first line is enough to open it by hand. */
function openBrowser(address: string): void {
  const [command, ...words] = openers[process.platform] ?? ["xdg-open"];
  const failed = (reason: string): void => {
    process.stderr.write(`cloudinfra emulator: --open could not start a browser (${reason}): open ${address}\n`);
  };
  const browser = spawn(command, [...words, address], { stdio: "ignore", detached: true });
  browser.once("error", ({ message }) => failed(message));
  // explorer.exe exits with 1 even if it has opened the address.
  if (process.platform !== "win32")
    browser.once("exit", (code) => {
      if (code) failed(`${command} exited with ${code}`);
    });
  browser.unref();
}

async function started(options: EmulatorOptions, loaded: string | undefined) {
  try {
    return await startEmulator({ ...options, rateLimits: true });
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException;
    if (name === "ErrorResponse") throw new Error(`--load ${loaded}: ${message}`);
    if (code !== "EADDRINUSE") throw error;
    throw new Error(
      `port ${options.port} is in use: stop the program that listens on it, or pick a free port with --port 0`,
    );
  }
}

/** Reads a file as JSON. The emulator validates the snapshot. */
async function snapshotOf(file: string): Promise<Snapshot> {
  try {
    return JSON.parse((await readBytes(file, MAX_STATE_BYTES)).toString());
  } catch (error) {
    const reason = error instanceof SyntaxError ? "it is not valid JSON" : (error as Error).message;
    throw new Error(`--load ${file}: ${reason}. Save a snapshot with GET /_emulator/state`);
  }
}

function parsed(rawOptions: Readonly<Record<string, unknown>>): z.output<typeof Options> {
  const result = z.safeParse(Options, rawOptions);
  if (result.success) {
    if (result.data.load !== undefined && result.data.account !== "empty")
      throw new UsageError("--load and --account cannot be combined: both define the initial account");
    if (result.data.strict && result.data.dialect === undefined)
      throw new UsageError("--strict requires --dialect: without one, newer fields are always rejected");
    if (result.data.recover !== undefined && result.data.data === undefined)
      throw new UsageError("--recover requires --data, the file to recover");
    if (result.data.recover !== undefined && (result.data.load !== undefined || result.data.account !== "empty"))
      throw new UsageError("--recover cannot be combined with --load and --account: it starts no emulator");
    return result.data;
  }
  const problems = result.error.issues.map(
    ({ path, message }) => `--${path.join(".")} ${rawOptions[String(path[0])]}: ${message}`,
  );
  throw new UsageError([...new Set(problems)].join("\n"));
}
