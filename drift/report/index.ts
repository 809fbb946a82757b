import type { DriftReport } from "../model";
import { html } from "./html";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import { text } from "./text";

export const formats = { text, json, markdown, junit, sarif, html } satisfies Record<
  string,
  (report: DriftReport) => string
>;

export type Format = keyof typeof formats;

export const isFormat = (name: string): name is Format => Object.hasOwn(formats, name);
