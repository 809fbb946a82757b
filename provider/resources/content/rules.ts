import type { Rule } from "../../../api";
import type { ContentInputs } from "./content";

const ways = ["content", "file", "source"] as const;

/** Rule that a program sets exactly one of the inputs for content, such as `content` or `file`. */
export const oneWay = (source: string, offered: readonly (keyof ContentInputs)[] = ways): Rule<ContentInputs>[] => [
  {
    reads: [...offered],
    *check(inputs) {
      const [first, ...others] = offered.filter((way) => inputs[way] !== undefined);
      if (first === undefined)
        yield { field: offered[0] as string, reason: `is required unless ${offered.slice(1).join(" or ")} is set` };
      for (const way of others) yield { field: way, reason: `must be omitted if ${first} is set` };
    },
    source,
  },
];
