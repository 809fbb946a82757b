import type { DriftReport } from "../model";
import { json } from "./json";
import { text } from "./text";

/** Every form of a report, by the name of its format. */
export const formats = { text, json } satisfies Record<string, (report: DriftReport) => string>;

export type Format = keyof typeof formats;

export const isFormat = (name: string): name is Format => Object.hasOwn(formats, name);
