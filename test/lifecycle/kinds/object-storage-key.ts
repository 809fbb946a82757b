import fc from "fast-check";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";
import { bucket } from "./needs";

const cluster = "us-east-1";
const photos = { bucketName: "photos", cluster, permissions: "read_only" } as const;
const films = { bucketName: "films", cluster, permissions: "read_write" } as const;

export const effects: Effects<"ObjectStorageKey"> = { label: ["objectStorageKeys.update"], bucketAccess: "replace" };

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"ObjectStorageKey"> = async (cloud) => {
  for (const label of ["photos", "films"]) await bucket(cloud, label);
  return {
    base: { label: "web", bucketAccess: [photos] },
    changes: {
      label: { to: "worker" },
      bucketAccess: [
        { to: [films, photos] },
        { to: [{ ...photos, permissions: "read_write" }] },
        { to: [] },
        { to: null },
        { before: { bucketAccess: null }, to: [photos] },
      ],
    },
    changeUnmanaged: () => undefined,
  };
};

const access = ["photos", "films"].map((bucketName) => ({
  bucketName,
  cluster: "us-east-1",
  permissions: "read_only",
}));

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { bucketAccess: access },
    equivalent: { bucketAccess: fc.shuffledSubarray(access, { minLength: access.length }) },
  },
  { inputs: { bucketAccess: null }, equivalent: { bucketAccess: fc.constantFrom(null, undefined) } },
];

export const exampleEdit: ExampleEdit<"ObjectStorageKey"> = { label: "edited" };

export const templates: Templates = {
  ObjectStorageKey: {
    needs: { bucket: "ObjectStorageBucket" },
    skip: ["bucketAccess"],
    inputs: ({ bucket = {} }) => ({
      bucketAccess: [{ bucketName: bucket.label, cluster: bucket.cluster, permissions: "read_only" }],
    }),
  },
};
