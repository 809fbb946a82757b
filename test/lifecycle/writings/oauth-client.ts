import fc from "fast-check";
import { picture } from "../kinds/oauth-client";
import type { Writings } from "./writing";

export const oauthClient: Writings = () => [
  {
    as: { thumbnail: picture("one.png", 2) },
    or: {
      public: fc.constantFrom(false, undefined),
      secretVersion: fc.constantFrom(1, "1", undefined),
      thumbnail: fc.constantFrom(picture("one.png", 2), picture("other.png", 2)),
    },
  },
];
