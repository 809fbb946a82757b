import type { Area, Operation, Result, Sent } from "../../api";
import { isCreate, isPaged } from "./envelope";
import { ContractError } from "./errors";
import { limited, PAGE_SIZE, type Pages, pagesOf } from "./pages";
import type { Input, Options } from "./request";
import type { Send } from "./transport";

/**
 * A function for each operation of an API, grouped by area: `volumes.create` is the operation `create` of the area
 * `volumes`.
 */
export type OperationCalls<C extends Contract<C>> = { [A in keyof C]: { [O in keyof C[A]]: Method<C[A][O]> } };

export type Contract<C> = { [A in keyof C]: Area };

/** The function of an operation. The input is optional if the operation has no required fields. */
type Method<O extends Operation> = (object extends Sent<O>
  ? (input?: Sent<O>, options?: Options) => Promise<Result<O>>
  : (input: Sent<O>, options?: Options) => Promise<Result<O>>) &
  (Result<O> extends { data: (infer Entry)[]; pages: number } ? Pages<Sent<O>, Entry, Result<O>> : unknown);

export function operationCalls<C extends Contract<C>>(
  contract: C,
  send: Send,
  pageSize = PAGE_SIZE,
): OperationCalls<C> {
  const calls = {};
  for (const [area, operations] of Object.entries<Area>(contract)) {
    // The functions of an area such as `volumes` are created on first use, because a program usually needs few of the
    // thirty areas.
    const get = () => {
      const value = methodsOf(area, operations, send, pageSize);
      Object.defineProperty(calls, area, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(calls, area, { get, enumerable: true, configurable: true });
  }
  // The cast is necessary, because TypeScript cannot infer the type of an object that loops fill.
  return calls as OperationCalls<C>;
}

function methodsOf(area: string, operations: Area, send: Send, pageSize: number): Record<string, unknown> {
  const methods: Record<string, unknown> = {};
  for (const [key, operation] of Object.entries(operations)) {
    const operationNamed = { name: `${area}.${key}`, operation, isCreation: isCreate(operation, operations) };
    const method = (input = {}, options: Options = {}) => send(operationNamed, input, options);
    methods[key] = isPaged(operation) ? Object.assign(method, listOf(operationNamed.name, method, pageSize)) : method;
  }
  return methods;
}

/** The function of an operation whose types are known only at run time. `all` and `pages` exist for list operations. */
export type NamedCall<I = Input, R = unknown> = ((input?: I, options?: Options) => Promise<R>) & Pages<I, Bag, R>;

/**
 * The function of an operation by name, for code that handles all operations alike. The names come from the contract,
 * from which TypeScript cannot infer the type of a call that is only known at run time.
 */
export const callNamed = <I = Input, R = unknown>(api: object, area: string, operation: string): NamedCall<I, R> =>
  (api as Readonly<Record<string, Readonly<Record<string, NamedCall<I, R>>>>>)[area]?.[operation] as NamedCall<I, R>;

type Bag = Record<string, unknown>;

const JSON_TYPE = "application/json";

/**
 * The functions of a list operation that read several pages. `all` limits the memory of the entries, because callers
 * usually collect them.
 */
function listOf(name: string, method: Parameters<typeof pagesOf>[0], pageSize: number): ReturnType<typeof pagesOf> {
  const { all, pages } = pagesOf(method, pageSize);
  const tooLarge = (what: string) => new ContractError(name, 200, JSON_TYPE, `is a list whose entries ${what}`);
  return { all: (input, options) => limited(all(input, options), tooLarge), pages };
}
