import { compare } from "fast-json-patch";

/** The JSON pointers at which two values differ; null and absent are one. */
export const differingAt = (key: string, a: unknown, b: unknown): string[] =>
  compare({ [key]: a ?? null }, { [key]: b ?? null }).map(({ path }) => path);

export const same = (a: unknown, b: unknown): boolean => differingAt("", a, b).length === 0;
