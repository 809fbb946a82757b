import type { Catalogue } from "../../api/common";
import { oneOf } from "../../api/problems";
import { ApiError, CancelledError } from "../client/errors";
import { guess } from "./guess";
import type { Host } from "./host";

/** The service's lists of regions, types and the like, each read once a run and only when something names it. */
export class Catalogues {
  readonly #host: Pick<Host, "api" | "inTime">;
  readonly #read: Map<Catalogue, Promise<string[]>>;

  constructor(host: Pick<Host, "api" | "inTime">, read = new Map<Catalogue, Promise<string[]>>()) {
    this.#host = host;
    this.#read = read;
  }

  /** The same lists, for an operation with a deadline. */
  within(host: Pick<Host, "api" | "inTime">): Catalogues {
    return new Catalogues(host, this.#read);
  }

  async ids(catalogue: Catalogue): Promise<string[]> {
    const known = this.#read.get(catalogue);
    if (!known) return this.#begin(catalogue);
    return this.#host.inTime(known, `the list of ${catalogue}`).catch((error) => {
      // Whoever began to read it may have had less time.
      if (error instanceof CancelledError) return this.#begin(catalogue);
      throw error;
    });
  }

  #begin(catalogue: Catalogue): Promise<string[]> {
    const read = this.#load(catalogue);
    this.#read.set(catalogue, read);
    return read;
  }

  async #load(catalogue: Catalogue): Promise<string[]> {
    try {
      const ids: string[] = [];
      for await (const { id } of this.#host.api[catalogue].list.all()) ids.push(id);
      return ids.sort();
    } catch (error) {
      this.#read.delete(catalogue);
      throw error;
    }
  }

  /** Why an id is not in its catalogue, with the likeliest one that is; undefined when it is, or when the token can't look. */
  async problem(catalogue: Catalogue, id: string): Promise<string | undefined> {
    const earlier = this.#read.get(catalogue);
    let ids = await this.#known(catalogue, id);
    if (!ids.includes(id) && earlier && earlier === this.#read.get(catalogue)) {
      // What was read before this run made an image does not have it.
      this.#read.delete(catalogue);
      ids = await this.#known(catalogue, id);
    }
    return ids.includes(id) ? undefined : `must be ${oneOf(ids)}${guess(id, ids)}`;
  }

  /** The ids of a catalogue; where the token can't look, what was asked for passes. */
  #known(catalogue: Catalogue, id: string): Promise<string[]> {
    return this.ids(catalogue).catch((error) => {
      if (error instanceof ApiError && error.status === 403) return [id];
      throw error;
    });
  }
}
