import type { Kind } from "../../provider/engine/definition";
import { isAction } from "../../provider/engine/identity";
import { kinds } from "../../provider/resources";
import type { Candidate } from "./api";

export const adoptable = (): Candidate[] =>
  Object.entries(kinds as Record<string, Kind>).flatMap(([name, kind]) =>
    isAction(kind) ? [] : [[name, kind.summary]],
  );
