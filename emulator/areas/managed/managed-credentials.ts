import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import type { ManagedCredential } from "../../../api";
import { Reasons } from "../../core/error-response";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import { requireFreeLabel } from "../../http/account-checks";
import type { AreaModule } from "../../http/handlers";
import { passwordDigest } from "../compute/instance-deploy";

/** A stored credential. User name and password are stored as salted digests only. */
export interface ManagedCredentialRow extends ManagedCredential {
  username: string | null;
  password: string;
}

export const managedCredentials: AreaModule<"managedCredentials", { managedCredentials: ManagedCredentialRow }> = {
  tables: {
    managedCredentials: table<ManagedCredentialRow>([], { upgrade: (row) => ({ last_decrypted: null, ...row }) }),
  },
  handlers: {
    list: ({ world }) => world.managedCredentials,

    create({ world, body: { label, username, password } }) {
      const problems = new Reasons();
      requireFreeLabel(world.managedCredentials, problems, label);
      problems.throwIfAny();
      return world.managedCredentials.insert({
        label,
        last_decrypted: null,
        username: null,
        ...digests(world, { username, password }),
      });
    },

    view: ({ world, path }) => world.managedCredentials.get(path.credentialId),

    update({ world, path, body }) {
      const { id } = world.managedCredentials.get(path.credentialId);
      const problems = new Reasons();
      if (body.label !== undefined) requireFreeLabel(world.managedCredentials, problems, body.label, id);
      problems.throwIfAny();
      return world.managedCredentials.patch(id, body);
    },

    delete({ world, path }) {
      remove(world, path.credentialId);
      return {};
    },

    revoke({ world, path }) {
      remove(world, path.credentialId);
      return {};
    },

    updateSecret({ world, path, body }) {
      const { id } = world.managedCredentials.get(path.credentialId);
      world.managedCredentials.patch(id, digests(world, body));
      return {};
    },

    sshKey: ({ world }) => ({ ssh_key: publicKey(world.seed) }),
  },
};

function remove(world: World, id: number): void {
  world.managedCredentials.remove(id);
  for (const service of world.managedServices.where(({ credentials }) => credentials.includes(id)))
    world.managedServices.patch(service.id, { credentials: service.credentials.filter((one) => one !== id) });
}

function digests(
  world: World,
  { username, password }: { username?: string | undefined; password: string },
): Pick<ManagedCredentialRow, "password"> & Partial<Pick<ManagedCredentialRow, "username">> {
  return {
    password: passwordDigest(world, password),
    ...(username !== undefined && { username: passwordDigest(world, username) }),
  };
}

/** PKCS #8 header of an Ed25519 private key (RFC 8410). */
const pkcs8 = "302e020100300506032b657004220420";

/**
 * The account's public key, with which support staff log in to its instances, in OpenSSH format (RFC 8709). The same
 * seed gives the same key.
 */
function publicKey(seed: number): string {
  const secret = createHash("sha256").update(`${seed}/managed-ssh-key`).digest("hex");
  const key = createPrivateKey({ key: Buffer.from(pkcs8 + secret, "hex"), format: "der", type: "pkcs8" });
  const { x } = createPublicKey(key).export({ format: "jwk" });
  const parts = [Buffer.from("ssh-ed25519"), Buffer.from(x as string, "base64url")];
  const blob = Buffer.concat(parts.flatMap((part) => [uint32(part.length), part]));
  return `ssh-ed25519 ${blob.toString("base64")} managedservices@cloudinfra.example`;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
