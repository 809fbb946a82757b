import { inspect } from "node:util";
import { type Area, type Operation, operations, translationOf } from "../../api";
import { clientOf } from "./client";
import { isPaged } from "./envelope";
import { defaultsFor } from "./environment";
import { SettingError } from "./errors";
import { inputFrom, inputParts } from "./flat-input";
import { Areas } from "./generated/areas";
import { callNamed, type NamedCall } from "./operation-calls";
import type { CallOptions, CloudInfraOptions } from "./options";
import { pagesOf } from "./pages";
import type { Input, Options } from "./request";
import type { ConnectOptions } from "./settings";

/**
 * A client with every operation of the service as a function, by area, such as
 * `cloud.volumes.attach({ volumeId, compute_id })`. The argument is one object with the path parameters, the query and
 * the body. Use one client for the whole program, because it learns the service's rate limits and keeps connections
 * open. Idle connections do not keep the process running.
 */
export class CloudInfra extends Areas {
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | undefined;
  readonly #url: string;

  constructor(options: CloudInfraOptions = {}) {
    super();
    const settings = settingsOf(options);
    this.#url = settings.url;
    const { api, close } = clientOf(operations, settings);
    this.#close = close;
    const pageSize = settings.dialect && translationOf(settings.dialect).dialect.pageSize;
    for (const [area, operationsOfArea] of Object.entries<Area>(operations)) {
      const methods = Object.entries(operationsOfArea).map(([key, operation]) => [
        key,
        methodOf(`${area}.${key}`, operation, callNamed(api, area, key), options.timeoutMs, pageSize),
      ]);
      Object.defineProperty(this, area, { enumerable: true, value: Object.freeze(Object.fromEntries(methods)) });
    }
  }

  /** Waits for the calls in progress. Later calls fail. Closing a closed client has no effect. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Replaces the client in logs by an object without the token. */
  toJSON(): { url: string } {
    return { url: this.#url };
  }

  [inspect.custom](): string {
    return `CloudInfra { url: ${inspect(this.#url)} }`;
  }
}

type Flat = Readonly<Record<string, unknown>>;

/** Wraps a method so that its input is one object instead of separate path parameters, query and body. */
function methodOf(
  name: string,
  operation: Operation,
  method: NamedCall,
  timeoutMs: number | undefined,
  pageSize: number | undefined,
): unknown {
  const parts = inputParts(operation);
  const prepared = (flat: Flat = {}, { signal, deadline, timeoutMs: own = timeoutMs }: CallOptions = {}) => {
    const { input, filter } = inputFrom(name, operation, flat, parts);
    const deadlines = [deadline?.valueOf(), own === undefined ? undefined : Date.now() + own].filter(
      (at) => at !== undefined,
    );
    const options: Options = { signal, filter, deadline: deadlines.length ? Math.min(...deadlines) : undefined };
    return [input, options] as const;
  };
  const call = async (flat?: Flat, options?: CallOptions) => method(...prepared(flat, options));
  if (!isPaged(operation)) return call;
  const iterated = <T>(read: (input: Input, options: Options) => AsyncIterable<T>) =>
    async function* (flat?: Flat, options?: CallOptions) {
      yield* read(...prepared(flat, options));
    };
  const { all, pages } = pagesOf(method, pageSize);
  return Object.assign(call, {
    all: iterated((input, options) => all(input, options)),
    pages: iterated((input, options) => pages(input, options)),
  });
}

function settingsOf({ timeoutMs: _, ...options }: CloudInfraOptions): ConnectOptions {
  const defined = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { dialect, url, token } = defaultsFor(options.dialect);
  return {
    ...defined,
    dialect,
    url: options.url ?? url ?? missing("url", NO_URL),
    token: options.token ?? token ?? missing("token", NO_TOKEN),
  };
}

function missing(setting: "url" | "token", problem: string): never {
  throw new SettingError(setting, problem);
}

const NO_URL =
  "is not set and the service has no default address: pass it to new CloudInfra({ url }) or set CLOUDINFRA_URL. " +
  'To try it without an account, run "npx cloudinfra emulator" and use the address that it prints.';

const NO_TOKEN =
  'is not set: pass it to new CloudInfra({ token }) or set CLOUDINFRA_TOKEN. The emulator accepts "emulator".';
