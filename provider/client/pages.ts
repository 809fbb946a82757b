import { weightOf } from "./json";
import type { Input, Options } from "./request";

/** A list operation. Calling the function returns one page. */
export interface Pages<I, Entry, P> {
  /** Yields every entry of the list. Pages are requested as needed. */
  all(input?: I, options?: Options): AsyncIterable<Entry>;
  pages(input?: I, options?: Options): AsyncIterable<P>;
}

/** The largest page size that the service accepts. */
export const PAGE_SIZE = 100;

/** Maximum memory of a list in bytes, which is enough for more than forty thousand entries. */
const MOST_BYTES = 32_000_000;

type Read = (input: Input, options: Options) => Promise<unknown>;

interface Page {
  data: unknown[];
  pages?: number;
}

export function pagesOf(read: Read): Pages<Input, unknown, unknown> {
  async function* pages(input: Input = {}, options: Options = {}) {
    for (let page = Number(input.query?.page ?? 1), last = page; page <= last; page++) {
      const answer = (await read({ ...input, query: { page_size: PAGE_SIZE, ...input.query, page } }, options)) as Page;
      yield answer;
      last = answer.pages ?? page;
    }
  }
  async function* all(input?: Input, options?: Options) {
    for await (const { data } of pages(input, options)) yield* data;
  }
  return { all, pages };
}

/**
 * Limits the memory of a list's entries: callers usually collect them, and a faulty service can report any number of
 * pages.
 */
export async function* bounded<T>(parts: AsyncIterable<T>, error: (what: string) => Error): AsyncGenerator<T> {
  let weight = 0;
  for await (const part of parts) {
    weight += weightOf(part);
    if (weight > MOST_BYTES) throw error(`exceed ${MOST_BYTES / 1e6} MB`);
    yield part;
  }
}
