import fc from "fast-check";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";
import { bucket } from "./needs";

const cluster = "us-east-1";
const name = "docs/index.html";
const plane = (at: string) => `PUT /objects/${at}`;
const here = `${cluster}/photos/docs/index.html`;
const write = (at = here) => ["objectStorageObjects.createUrl content_type method name", plane(at)];

export const effects: Effects<"ObjectStorageObject"> = {
  cluster: "replace",
  bucket: "replace",
  name: "replace",
  content: "local",
  file: "local",
  source: "local",
  contentType: ["objectStorageObjects.createUrl"],
  contentHash: ["objectStorageObjects.createUrl"],
  etag: "local",
  acl: ["objectStorageObjects.updateAcl"],
};

export const found: Found = { by: "byId", within: "ObjectStorageBucket" };

export const fixture: CreateFixture<"ObjectStorageObject"> = async (cloud) => {
  const { api, world } = cloud;
  await bucket(cloud, "photos");
  await bucket(cloud, "films");
  await bucket(cloud, "photos", "eu-central-1");
  const row = () => world.objectStorageObjects.get(here);
  const base = { cluster, bucket: "photos", name };
  return {
    base: { ...base, content: "<h1>One</h1>", contentType: "text/html" },
    row: (id) => id,
    creation: "objectStorageObjects.createUrl",
    changes: {
      cluster: { to: "eu-central-1" },
      bucket: { to: "films" },
      name: { to: "docs/about.html" },
      content: "compared by its hash: behaviour tests change it",
      file: "compared by its hash: behaviour tests change it",
      source: "compared by its hash: behaviour tests change it",
      contentHash: "follows the content",
      etag: "follows the content",
      contentType: { to: "text/plain", calls: write(), read: () => row().content_type },
      acl: [
        { to: "public-read", calls: ["objectStorageObjects.updateAcl acl name"] },
        { before: { acl: "public-read" }, to: "private", calls: ["objectStorageObjects.updateAcl acl name"] },
        {
          before: { acl: "public-read" },
          to: "custom",
          along: { contentType: "text/plain" },
          calls: [...write(), "objectStorageObjects.updateAcl acl name"],
        },
      ],
    },
    remove: () =>
      api.objectStorageBuckets
        .delete({ path: { clusterId: cluster, bucket: "photos" }, query: { force: true } })
        .then(() => bucket(cloud, "photos")),
    // The initial value is the ACL of the bucket.
    adopted: ["acl"],
    changeUnmanaged: () => undefined,
  };
};

const text = "<h1>One</h1>";

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { content: undefined, source: { text }, contentType: undefined },
    equivalent: {
      source: fc.constantFrom(
        { text },
        { text, "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", hash: "0a" },
      ),
    },
  },
];

export const exampleEdit: ExampleEdit<"ObjectStorageObject"> = { content: "edited" };

export const templates: Templates = {
  ObjectStorageObject: {
    needs: { bucket: "ObjectStorageBucket" },
    skip: ["cluster", "bucket"],
    more: [{ content: "<h1>Two</h1>" }],
    inputs: ({ bucket = {} }, { name, edited: value }) => ({
      cluster: bucket.cluster,
      bucket: bucket.label,
      name: `${name}/${value.name}`,
    }),
  },
};
