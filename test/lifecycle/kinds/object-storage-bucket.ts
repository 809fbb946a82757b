import fc from "fast-check";
import type { Bag } from "../../../provider/engine/values";
import { certificate } from "../../contract/load-balancers/certificate";
import { pemOrBase64 } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";
import { bucket } from "./needs";

const path = { clusterId: "us-east-1", bucket: "photos" };

export const effects: Effects<"ObjectStorageBucket"> = {
  label: "replace",
  cluster: "replace",
  acl: ["objectStorageBuckets.updateAccess"],
  corsEnabled: ["objectStorageBuckets.updateAccess"],
  certificate: ["objectStorageCertificates.delete", "objectStorageCertificates.upload"],
  forceDestroy: [],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"ObjectStorageBucket"> = async (cloud) => {
  const { api, world } = cloud;
  // The first bucket of an account enables object storage permanently. It is created here, so that this change does not
  // count as an effect of the bucket under test.
  await bucket(cloud, "other");
  const pair = async (name: string) => {
    const { ssl_cert, ssl_key } = await certificate(name);
    return { certificate: ssl_cert, privateKey: ssl_key };
  };
  const [one, other] = [await pair("one.example.org"), await pair("other.example.org")];
  const row = () => world.objectStorageBuckets.get("us-east-1/photos");
  return {
    base: { cluster: "us-east-1", label: "photos", certificate: one },
    changes: {
      cluster: { to: "eu-central-1" },
      label: { to: "films" },
      acl: [
        { to: "public-read", calls: ["objectStorageBuckets.updateAccess acl"], read: () => row().acl },
        { to: "custom", calls: ["objectStorageBuckets.updateAccess acl"], read: () => row().acl },
      ],
      corsEnabled: [
        { to: true, calls: ["objectStorageBuckets.updateAccess cors_enabled"], read: () => row().cors_enabled },
        {
          before: { corsEnabled: true, acl: "private" },
          to: false,
          along: { acl: "public-read" },
          calls: ["objectStorageBuckets.updateAccess acl cors_enabled"],
          read: () => row().cors_enabled,
        },
      ],
      certificate: [
        {
          to: other,
          calls: ["objectStorageCertificates.delete", "objectStorageCertificates.upload certificate private_key"],
          read: () => exists(other),
        },
        { to: null, calls: ["objectStorageCertificates.delete"], read: () => exists(null) },
        {
          before: { certificate: null },
          to: one,
          calls: ["objectStorageCertificates.upload certificate private_key"],
          read: () => exists(one),
        },
      ],
      forceDestroy: { to: true, calls: [], read: () => true },
    },
    row: (id) => id,
    notRead: ["certificate"],
    async changeUnmanaged() {
      const { url } = await api.objectStorageObjects.createUrl({
        path,
        body: { method: "PUT", name: "a.txt", content_type: "text/plain" },
      });
      await fetch(url, { method: "PUT", headers: { "content-type": "text/plain" }, body: "hello" });
    },
  };

  /** Returns the given certificate if the bucket has any, because the API returns only whether a certificate is set. */
  async function exists<T extends Awaited<ReturnType<typeof pair>> | null>(pair: T): Promise<unknown> {
    const { ssl } = await api.objectStorageCertificates.view({ path });
    if (!pair || !ssl) return ssl ? {} : null;
    return { certificate: pair.certificate, private_key: pair.privateKey };
  }
};

export const equivalentValues: EquivalentValues = ({ certificate }) => [
  {
    inputs: {},
    equivalent: {
      certificate: fc.record(
        Object.fromEntries(Object.entries(certificate as Bag).map(([key, text]) => [key, pemOrBase64(String(text))])),
      ),
      forceDestroy: fc.constantFrom(false, undefined),
    },
  },
  { inputs: { certificate: null }, equivalent: { certificate: fc.constantFrom(null, undefined) } },
];

export const exampleEdit: ExampleEdit<"ObjectStorageBucket"> = { acl: "authenticated-read" };

export const templates: Templates = { ObjectStorageBucket: {} };
