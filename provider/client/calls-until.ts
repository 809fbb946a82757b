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
  each(api as Areas, (area) => each(area, (method) => methodUntil(method, deadline))) as unknown as A;

/** Functions are wrapped on first use, because the update of a resource calls only a few of several hundred. */
const each = <V extends object>(all: Readonly<Record<string, V>>, made: (value: V) => V): Record<string, V> =>
  new Proxy(all as Record<string, V>, {
    get(target, key) {
      const value = target[key as string];
      return value && made(value);
    },
  });

function methodUntil(method: Method, deadline: number): Method {
  const withDeadline =
    <R>(read: (input?: Input, options?: Options) => R) =>
    (input?: Input, options: Options = {}): R =>
      read(input, { ...options, deadline: Math.min(options.deadline ?? deadline, deadline) });
  const { all, pages } = method;
  const rest = { ...(all && { all: withDeadline(all) }), ...(pages && { pages: withDeadline(pages) }) };
  return Object.assign(withDeadline(method), rest) as Method;
}
