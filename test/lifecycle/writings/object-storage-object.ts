import fc from "fast-check";
import type { Writings } from "./writing";

const text = "<h1>One</h1>";

export const objectStorageObject: Writings = () => [
  {
    as: { content: undefined, source: { text }, contentType: undefined },
    or: {
      source: fc.constantFrom(
        { text },
        { text, "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", hash: "0a" },
      ),
    },
  },
];
