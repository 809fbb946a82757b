import { type Catalogue, didYouMean, oneOf } from "../../api";
import { ApiError } from "../client/errors";
import type { Catalogues, Host } from "../engine/host";
import { Once } from "../engine/once";

/** The service's catalogues, such as regions and types, each read at most once per run. */
export class ConnectionCatalogues implements Catalogues {
  readonly #host: Pick<Host, "api" | "inTime">;
  readonly #lists: Once<string[]>;

  constructor(host: Pick<Host, "api" | "inTime">, lists = new Once<string[]>()) {
    this.#host = host;
    this.#lists = lists;
  }

  /** The same cached lists, but reading one ends at the deadline of the operation. */
  within(host: Pick<Host, "api" | "inTime">): Catalogues {
    return new ConnectionCatalogues(host, this.#lists);
  }

  ids(catalogue: Catalogue): Promise<string[]> {
    return this.#lists.get(this.#host, catalogue, `the list of ${catalogue}`, async () => {
      const ids: string[] = [];
      for await (const { id } of this.#host.api[catalogue].list.all()) ids.push(id);
      return ids.sort();
    });
  }

  /**
   * Why an id is not valid, with the most similar valid one; undefined if it is valid, or if the token cannot read the
   * catalogue.
   */
  async problem(catalogue: Catalogue, id: string): Promise<string | undefined> {
    const earlier = this.#lists.known(catalogue);
    const ids = await this.#known(catalogue, id);
    // The catalogue was read before this run created the image, so the image is not in it.
    if (!ids.includes(id) && earlier && this.#lists.forget(catalogue, earlier)) return this.problem(catalogue, id);
    return ids.includes(id) ? undefined : `must be ${oneOf(ids)}${didYouMean(id, ids)}`;
  }

  /** The ids of a catalogue. If the token cannot read it, every requested id counts as valid. */
  #known(catalogue: Catalogue, id: string): Promise<string[]> {
    return this.ids(catalogue).catch((error) => {
      if (error instanceof ApiError && error.status === 403) return [id];
      throw error;
    });
  }
}
