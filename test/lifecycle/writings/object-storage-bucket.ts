import fc from "fast-check";
import type { Bag } from "../../../provider/resource";
import type { Writings } from "./writing";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** PEM with other line breaks or blanks around it, or Base64 of it. */
const pem = (text: string) =>
  fc.constantFrom(text, text.trim(), `\n${text}\n`, text.replaceAll("\n", "\r\n"), base64(text), base64(text.trim()));

export const objectStorageBucket: Writings = ({ certificate }) => [
  {
    as: {},
    or: {
      certificate: fc.record(
        Object.fromEntries(Object.entries(certificate as Bag).map(([key, text]) => [key, pem(String(text))])),
      ),
      forceDestroy: fc.constantFrom(false, undefined),
    },
  },
  { as: { certificate: null }, or: { certificate: fc.constantFrom(null, undefined) } },
];
