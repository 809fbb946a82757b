import { isAction } from "../../provider/engine/adopt";
import { kinds } from "../../provider/kinds";
import type { Kind } from "../../provider/resource";
import type { Candidate } from "./api";

/** The kinds whose objects can be adopted. */
export const adoptable = (): Candidate[] =>
  Object.entries(kinds as Record<string, Kind>).flatMap(([name, kind]) =>
    isAction(kind) ? [] : [[name, kind.summary]],
  );
