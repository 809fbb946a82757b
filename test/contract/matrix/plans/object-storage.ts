import type {
  objectStorage,
  objectStorageBuckets,
  objectStorageCertificates,
  objectStorageKeys,
  objectStorageObjects,
} from "../../../../api";
import { certificate } from "../../load-balancers/certificate";
import { data } from "../../object-storage/bucket";
import type { Account, Plans } from "../plan";

interface InBucket {
  path: { clusterId: string; bucket: string };
}

const fields = { label: "photos", cluster: "us-east-1" };

async function bucket({ api }: Account): Promise<InBucket> {
  await api.objectStorageBuckets.create({ body: fields });
  return { path: { clusterId: "us-east-1", bucket: "photos" } };
}

const access = async (account: Account) => ({
  ...(await bucket(account)),
  body: { acl: "public-read" as const, cors_enabled: true },
});

export const bucketPlans = {
  list: () => ({}),
  create: () => ({ body: { ...fields, acl: "private", cors_enabled: true } }),
  listInCluster: () => ({ path: { clusterId: "us-east-1" } }),
  view: bucket,
  delete: bucket,
  modifyAccess: access,
  updateAccess: access,
} satisfies Plans<typeof objectStorageBuckets>;

/** A certificate and its key, which are the same for each call, so that the accounts of two tests can be compared. */
const pair = certificate("photos.example.org").then(({ ssl_cert, ssl_key }) => ({
  certificate: ssl_cert,
  private_key: ssl_key,
}));

async function withCertificate(account: Account): Promise<InBucket> {
  const { path } = await bucket(account);
  await account.api.objectStorageCertificates.upload({ path, body: await pair });
  return { path };
}

export const certificatePlans = {
  view: bucket,
  upload: async (account) => ({ ...(await bucket(account)), body: await pair }),
  delete: withCertificate,
} satisfies Plans<typeof objectStorageCertificates>;

async function object(account: Account): Promise<InBucket> {
  const { path } = await bucket(account);
  const body = { method: "PUT" as const, name: "cat.txt", content_type: "text/plain" };
  const { url } = await account.api.objectStorageObjects.createUrl({ path, body });
  await data(account, `PUT ${url}`, { headers: { "content-type": "text/plain" }, body: "meow" });
  return { path };
}

export const objectPlans = {
  list: object,
  viewAcl: async (account) => ({ ...(await object(account)), query: { name: "cat.txt" } }),
  updateAcl: async (account) => ({ ...(await object(account)), body: { name: "cat.txt", acl: "public-read" } }),
  createUrl: async (account) => ({
    ...(await bucket(account)),
    body: { method: "PUT", name: "cat.txt", content_type: "text/plain", expires_in: 600 },
  }),
} satisfies Plans<typeof objectStorageObjects>;

async function key({ api }: Account): Promise<{ path: { keyId: number } }> {
  const { id } = await api.objectStorageKeys.create({ body: { label: "photos" } });
  return { path: { keyId: id } };
}

export const keyPlans = {
  list: () => ({}),
  create: async (account) => {
    await bucket(account);
    const access = { bucket_name: "photos", cluster: "us-east-1", permissions: "read_only" as const };
    return { body: { label: "photos", bucket_access: [access] } };
  },
  view: key,
  update: async (account) => ({ ...(await key(account)), body: { label: "pictures" } }),
  delete: key,
} satisfies Plans<typeof objectStorageKeys>;

export const servicePlans = { cancel: key, transfer: key } satisfies Plans<typeof objectStorage>;
