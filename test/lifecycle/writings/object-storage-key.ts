import fc from "fast-check";
import type { Writings } from "./writing";

const access = ["photos", "films"].map((bucketName) => ({
  bucketName,
  cluster: "us-east-1",
  permissions: "read_only",
}));

export const objectStorageKey: Writings = () => [
  {
    as: { bucketAccess: access },
    or: { bucketAccess: fc.shuffledSubarray(access, { minLength: access.length }) },
  },
  { as: { bucketAccess: null }, or: { bucketAccess: fc.constantFrom(null, undefined) } },
];
