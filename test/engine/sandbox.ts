import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";
import type { ProviderType } from "../../stack/migration";
import { type ConfigValue, type EngineOptions, type EngineStack, engine, type Run } from "../../testing/engine";
import { more, rowsOf } from "../rows";

export interface SandboxOptions extends Omit<EngineOptions, "program" | "config"> {
  /**
   * Stack configuration in addition to the URL and token of the emulator. `undefined` omits a key, for example to test
   * a stack without a token.
   */
  config?: Record<string, ConfigValue | undefined>;
  emulator?: EmulatorOptions;
  /** Whether the native plugin manages the program's resources. Defaults to false. */
  native?: boolean;
}

/** A Pulumi stack with a separate emulator. Disposing of the sandbox removes both. */
export interface Sandbox extends AsyncDisposable {
  stack: EngineStack;
  emulator: Emulator;
  /**
   * Replaces the program. If `provider` is given, also sets whether the native plugin or dynamic resources manage its
   * objects.
   */
  rewrite(body: string, provider?: ProviderType): Promise<void>;
  /**
   * Number of objects that were added since the start, by table of the emulator. Tables without new objects are
   * omitted.
   */
  holds(): Record<string, number>;
}

/** The files of a program in JavaScript, which starts a second faster than a program in TypeScript. */
const programOf = (body: string, module = "pulumi-cloudinfra"): string =>
  `const cloudinfra = require("${module}");\n${body}\n`;

/**
 * The files of a program in JavaScript whose resources the native plugin manages. Pulumi finds the plugin where npm
 * installs it.
 */
const nativeFiles = (body: string): Record<string, string> => ({
  "Pulumi.yaml": `name: test
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins:
  providers: [{ name: cloudinfra, path: ./node_modules/pulumi-cloudinfra }]
`,
  "index.js": programOf(body, "pulumi-cloudinfra/native"),
});

/**
 * Creates a stack, and an emulator that runs in this process. The emulator's jobs finish immediately, because most
 * tests do not depend on waiting, and the emulator returns lists in random order.
 */
export async function sandbox(program: string | { folder: string }, options: SandboxOptions = {}): Promise<Sandbox> {
  const { config, emulator: emulation, native = false, ...rest } = options;
  const emulator = await startEmulator({ pace: "instant", shuffle: true, ...emulation });
  const fresh = rowsOf(emulator);
  try {
    const stack = await engine({
      program: typeof program === "string" ? filesOf(program, native) : program.folder,
      config: declared({ "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token }, ...config }),
      ...rest,
    });
    return {
      stack,
      emulator,
      async rewrite(body, provider = native ? "native" : "dynamic") {
        for (const [file, text] of Object.entries(filesOf(body, provider === "native"))) await stack.write(file, text);
      },
      holds: () => more(rowsOf(emulator), fresh),
      async [Symbol.asyncDispose]() {
        await stack[Symbol.asyncDispose]();
        await emulator.close();
      },
    };
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

/** The files of a JavaScript program with the given statements, for dynamic resources or for the native plugin. */
export const filesOf = (body: string, native: boolean): Record<string, string> =>
  native ? nativeFiles(body) : { "index.js": programOf(body) };

const declared = <T>(values: Record<string, T | undefined>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

/** Names of the API operations of all requests except GET requests, in order, for example `volumes.resize`. */
export const mutations = ({ requests }: Emulator): string[] =>
  requests.list().flatMap(({ method, operation }) => (method === "GET" ? [] : [operation ?? "unknown"]));

/** The ids in the steps of a run, by resource: `{ "Volume data": "42" }`. */
export const idsOf = ({ steps }: Run): Record<string, string> =>
  Object.fromEntries(
    steps.flatMap(({ type, name, id }) => (id ? [[`${type.slice(type.lastIndexOf(":") + 1)} ${name}`, id]] : [])),
  );

/**
 * The errors and warnings of a run, without Pulumi's summary. Output that starts with `warning:` is included, because a
 * dynamic provider reports its warnings in this way.
 */
export const messages = ({ diagnostics }: Run): string[] =>
  diagnostics
    .map(({ severity, message }) => ({ severity, text: message.replace(/<\{%\w+%\}>/g, "").trim() }))
    .filter(({ severity, text }) => severity === "warning" || severity === "error" || text.startsWith("warning:"))
    .map(({ severity, text }) => (severity === "info#err" ? text : `${severity}: ${text}`))
    .filter((text) => text !== "error: update failed");

/** Removes Pulumi's own debug messages, which contain all properties including secrets. */
export const withoutPulumisOwn = (text: string): string =>
  text.replace(/^.*(arshaling property|(RegisterResource|Call) RPC finished).*$/gm, "");
