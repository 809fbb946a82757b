import type { Catalogue } from "../../api/common";
import { oneOf } from "../../api/problems";
import type { Client } from "../client";
import { ApiError } from "../client/errors";
import { guess } from "./guess";

/** The service's lists of regions, types and the like, each read once a run and only when something names it. */
export class Catalogues {
  readonly #api: Client["api"];
  readonly #read = new Map<Catalogue, Promise<string[]>>();

  constructor(api: Client["api"]) {
    this.#api = api;
  }

  ids(catalogue: Catalogue): Promise<string[]> {
    const known = this.#read.get(catalogue) ?? this.#load(catalogue);
    this.#read.set(catalogue, known);
    return known;
  }

  async #load(catalogue: Catalogue): Promise<string[]> {
    try {
      const ids: string[] = [];
      for await (const { id } of this.#api[catalogue].list.all()) ids.push(id);
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
