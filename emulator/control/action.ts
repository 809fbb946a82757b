import { z } from "zod";
import { problemsOf } from "../../api";
import type { Emulator } from "../index";
import { Refusal, sentence } from "../refusal";
import type { Snapshot } from "../state";

/** What `/_emulator/…` needs to know of the emulator that it controls. */
export interface Controlled extends Pick<Emulator, "world" | "faults" | "requests" | "advance" | "reset"> {
  fresh: Snapshot;
}

export type Action = (emulator: Controlled, body: unknown) => unknown;

/** Paths under `/_emulator`, by method. */
export type Actions = Readonly<Record<string, Readonly<Record<string, Action>>>>;

/** The body, if it fits; else a refusal that names all that is wrong with it. */
export function checked<T extends z.core.$ZodType>(schema: T, body: unknown): z.output<T> {
  const result = z.safeParse(schema, body, { reportInput: true });
  if (result.success) return result.data;
  throw new Refusal(
    400,
    problemsOf(result.error.issues).map(({ path, reason }) => ({ field: path.join("."), reason: sentence(reason) })),
  );
}
