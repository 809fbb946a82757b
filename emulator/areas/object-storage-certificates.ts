import type { objectStorageCertificates } from "../../api";
import { isPrivateKey, keyMatches, pemOf, readCertificate } from "../../api/pem";
import type { Handlers } from "../handlers";
import { notFound, Reasons, Refusal } from "../refusal";
import type { World } from "../world";
import { seal } from "./object-secrets";
import { bucketOf } from "./object-storage-buckets";

export const handlers: Handlers<typeof objectStorageCertificates> = {
  view: ({ world, path }) => ({ ssl: bucketOf(world, path).certificate !== null }),

  upload({ world, path, body }) {
    const bucket = bucketOf(world, path);
    if (bucket.certificate) throw new Refusal(400, "The bucket has a certificate; delete it first");
    const certificate = pemOf(body.certificate);
    const private_key = pemOf(body.private_key);
    refuseUnfit(world, certificate, private_key);
    const sealed = { certificate: seal(world, certificate), private_key: seal(world, private_key) };
    world.objectStorageBuckets.patch(bucket.id, { certificate: sealed });
    return { ssl: true };
  },

  delete({ world, path }) {
    const bucket = bucketOf(world, path);
    if (!bucket.certificate) throw notFound();
    world.objectStorageBuckets.patch(bucket.id, { certificate: null });
    return {};
  },
};

function refuseUnfit({ clock }: World, certificate: string, key: string): void {
  const problems = new Reasons();
  const read = readCertificate(certificate);
  problems.require(read !== undefined, "Must be a certificate in PEM form, or Base64 of one", "certificate");
  if (read && read.notAfter <= clock.now()) problems.add(`Has expired at ${clock.time(read.notAfter)}`, "certificate");
  if (!isPrivateKey(key)) problems.add("Must be a private key in PEM form, or Base64 of one", "private_key");
  else if (read && !keyMatches(read, key)) problems.add("Must be the key of the certificate", "private_key");
  problems.refuse();
}
