import { type Catalogue, didYouMean, oneOf, type Translation } from "../../api";
import { ApiError } from "../client/errors";
import type { Catalogues, Host } from "../engine/host";
import { CachedWork } from "../resources/once";

/** Catalogues whose ids a dialect can rename. */
const isRenamed: ReadonlySet<Catalogue> = new Set(["images", "kernels"]);

/**
 * Reads the service's catalogues, which are lists of valid ids, such as all regions or all instance types. Each list is
 * cached for the rest of the run.
 */
export class ConnectionCatalogues implements Catalogues {
  readonly #host: Pick<Host, "api" | "withDeadline">;
  readonly #names: Translation | undefined;
  readonly #lists: CachedWork<string[]>;

  /** `names` converts the ids of images and kernels, which users may write as the service does. */
  constructor(host: Pick<Host, "api" | "withDeadline">, names?: Translation, lists = new CachedWork<string[]>()) {
    this.#host = host;
    this.#names = names;
    this.#lists = lists;
  }

  /**
   * Returns the same lists of valid ids with the same cache, but reading them from the API stops at the deadline of the
   * given operation.
   */
  within(host: Pick<Host, "api" | "withDeadline">): Catalogues {
    return new ConnectionCatalogues(host, this.#names, this.#lists);
  }

  ids(catalogue: Catalogue): Promise<string[]> {
    return this.#lists.get(this.#host, catalogue, `the list of ${catalogue}`, async () => {
      const ids: string[] = [];
      for await (const { id } of this.#host.api[catalogue].list.all()) ids.push(id);
      return ids.sort();
    });
  }

  /**
   * The reason why an id is not valid, with the most similar valid id. Undefined if the id is valid, or if the token
   * cannot read the catalogue.
   */
  async problem(catalogue: Catalogue, value: string): Promise<string | undefined> {
    const id = (isRenamed.has(catalogue) && this.#names?.ownId(value)) || value;
    const cached = this.#lists.known(catalogue);
    let ids = await this.#known(catalogue, id);
    if (!ids.includes(id) && cached) {
      // The list may be older than the id, for example if this run has created the image since. It is read again, once
      // for all calls that found the id missing in the same list.
      this.#lists.forget(catalogue, cached);
      ids = await this.#known(catalogue, id);
    }
    if (!ids.length) return `is not available: the service's list of ${catalogue} is empty`;
    return ids.includes(id) ? undefined : `must be ${oneOf(ids)}${didYouMean(id, ids)}`;
  }

  /**
   * The ids in a catalogue, such as all regions. If the token cannot read the catalogue, the given id is considered
   * valid.
   */
  #known(catalogue: Catalogue, id: string): Promise<string[]> {
    return this.ids(catalogue).catch((error) => {
      if (error instanceof ApiError && error.status === 403) return [id];
      throw error;
    });
  }
}
