import { isObject } from "../../api";
import { memoryOf } from "./json";
import type { Input, Options } from "./request";

/** A list operation. Calling the function returns one page. */
export interface Pages<I, Entry, P> {
  /** Yields every entry of the list. Pages are requested as needed. */
  all(input?: I, options?: Options): AsyncIterable<Entry>;
  pages(input?: I, options?: Options): AsyncIterable<P>;
}

/** The largest page size that the service accepts. A dialect can have another one. */
export const PAGE_SIZE = 100;

/** Maximum memory of a list in bytes, which is enough for more than forty thousand entries. */
const MAX_BYTES = 32_000_000;

type Read = (input: Input, options: Options) => Promise<unknown>;

interface Page {
  data: unknown[];
  pages?: number;
  results?: number;
}

/** Maximum number of times that a list is read, in case that its objects are deleted again and again meanwhile. */
const MAX_PASSES = 5;

export function pagesOf(read: Read, pageSize = PAGE_SIZE): Pages<Input, unknown, unknown> {
  async function* pages(input: Input = {}, options: Options = {}) {
    for (let page = Number(input.query?.page ?? 1), last = page; page <= last; page++) {
      const response = (await read(
        { ...input, query: { page_size: pageSize, ...input.query, page } },
        options,
      )) as Page;
      yield response;
      last = response.pages ?? page;
    }
  }
  /**
   * If objects are deleted between the requests for two pages, those after them move to a page that was read already.
   * The list is then read again for the entries that are missing.
   */
  async function* all(input?: Input, options?: Options) {
    const seen = new Set<unknown>();
    for (let pass = 1, isComplete = false; !isComplete && pass <= MAX_PASSES; pass++) {
      isComplete = true;
      let before = 0;
      for await (const { data, pages: count = 1, results = 0 } of pages(input, options)) {
        if (results < before) isComplete = false;
        before = results;
        yield* pass === 1 ? data : data.filter((entry) => !seen.has(keyOf(entry)));
        if (count > 1) for (const entry of data) seen.add(keyOf(entry));
      }
    }
  }
  return { all, pages };
}

const keyOf = (entry: unknown): unknown => (isObject(entry) && entry.id) || JSON.stringify(entry);

/**
 * Limits the memory of a list's entries: callers usually collect them, and a faulty service can report any number of
 * pages.
 */
export async function* limited<T>(entries: AsyncIterable<T>, error: (what: string) => Error): AsyncGenerator<T> {
  let bytes = 0;
  for await (const entry of entries) {
    bytes += memoryOf(entry);
    if (bytes > MAX_BYTES) throw error(`exceed ${MAX_BYTES / 1e6} MB`);
    yield entry;
  }
}
