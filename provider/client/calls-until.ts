import type { Pages } from "./pages";
import type { Input, Options } from "./request";

type Read = (input?: Input, options?: Options) => unknown;
type Method = Read & Partial<Pages<Input, unknown, unknown>>;
type Areas = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/**
 * Returns the client's functions with a deadline for every call. A call with an earlier deadline of its own keeps that
 * one.
 */
export const callsUntil = <A extends object>(api: A, deadline: number): A =>
  callsWith(api, (options) => ({ ...options, deadline: Math.min(options.deadline ?? deadline, deadline) }));

/** Returns the client's functions, each of which changes the options of its calls with the given function. */
export const callsWith = <A extends object>(api: A, change: (options: Options) => Options): A =>
  mapLazily(api as Areas, (area) => mapLazily(area, (method) => methodWith(method, change))) as unknown as A;

/** Runs a call of an operation such as `volumes.list`. For a list, it is called for every entry. */
export type CallWrapper = <T>(operation: string, call: () => Promise<T>) => Promise<T>;

/** Returns the client's functions, each of which makes its calls through the given function. */
export const callsThrough = <A extends object>(api: A, wrap: CallWrapper): A =>
  mapLazily(api as Areas, (area, name) =>
    mapLazily(area, (method, key) => methodThrough(method, `${name}.${key}`, wrap)),
  ) as unknown as A;

/** Functions are wrapped on first use, because the update of a resource calls only a few of several hundred. */
const mapLazily = <V extends object>(
  all: Readonly<Record<string, V>>,
  wrap: (value: V, key: string) => V,
): Record<string, V> =>
  new Proxy(all as Record<string, V>, {
    get(target, key) {
      const value = target[key as string];
      return value && wrap(value, String(key));
    },
  });

function methodWith(method: Method, change: (options: Options) => Options): Method {
  const changed =
    <R>(read: (input?: Input, options?: Options) => R) =>
    (input?: Input, options: Options = {}): R =>
      read(input, change(options));
  const { all, pages } = method;
  const rest = { ...(all && { all: changed(all) }), ...(pages && { pages: changed(pages) }) };
  return Object.assign(changed(method), rest) as Method;
}

function methodThrough(method: Method, name: string, wrap: CallWrapper): Method {
  const once = (input?: Input, options?: Options) => wrap(name, async () => method(input, options));
  const listed = <T>(read: (input?: Input, options?: Options) => AsyncIterable<T>) =>
    async function* (input?: Input, options?: Options) {
      const entries = read(input, options)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await wrap(name, () => entries.next());
          if (done) return;
          yield value;
        }
      } finally {
        await entries.return?.();
      }
    };
  const { all, pages } = method;
  return Object.assign(once, { ...(all && { all: listed(all) }), ...(pages && { pages: listed(pages) }) }) as Method;
}
