import { objectCertificateRules, pemOf, readCertificate } from "../../../api";
import { ErrorResponse, notFound, Reasons } from "../../core/error-response";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { seal } from "./object-secrets";
import { bucketOf } from "./object-storage-buckets";

export const objectStorageCertificates: AreaModule<"objectStorageCertificates"> = {
  handlers: {
    view: ({ world, path }) => ({ ssl: bucketOf(world, path).certificate !== null }),

    upload({ world, path, body }) {
      const bucket = bucketOf(world, path);
      if (bucket.certificate) throw new ErrorResponse(400, "The bucket has a certificate; delete it first");
      rejectUnsuitable(world, body);
      const { certificate, private_key } = body;
      const sealed = { certificate: seal(world, pemOf(certificate)), private_key: seal(world, pemOf(private_key)) };
      world.objectStorageBuckets.patch(bucket.id, { certificate: sealed });
      return { ssl: true };
    },

    delete({ world, path }) {
      const bucket = bucketOf(world, path);
      if (!bucket.certificate) throw notFound();
      world.objectStorageBuckets.patch(bucket.id, { certificate: null });
      return {};
    },
  },
};

function rejectUnsuitable({ clock }: World, body: { certificate: string; private_key: string }): void {
  const problems = new Reasons();
  problems.addBreaches(objectCertificateRules, body);
  const read = readCertificate(pemOf(body.certificate));
  if (read && read.notAfter <= clock.now()) problems.add(`Expired at ${clock.time(read.notAfter)}`, "certificate");
  problems.throwIfAny();
}
