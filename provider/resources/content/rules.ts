import type { Rule } from "../../../api";
import type { Given } from "./content";

const ways = ["content", "file", "source"] as const;

/** Exactly one of the content inputs of a kind must be set. */
export const oneWay = (source: string, offered: readonly (keyof Given)[] = ways): Rule<Given>[] => [
  {
    reads: [...offered],
    *check(given) {
      const [first, ...others] = offered.filter((way) => given[way] !== undefined);
      if (first === undefined)
        yield { field: offered[0] as string, reason: `is required unless ${offered.slice(1).join(" or ")} is set` };
      for (const way of others) yield { field: way, reason: `must be omitted with ${first}` };
    },
    source,
  },
];
