import { createHash } from "node:crypto";
import type { Fixture } from "../fixture";

export const managedCredential: Fixture<"ManagedCredential"> = async ({ world }) => {
  /** The service keeps salted digests, and shows not even those. */
  const known = (digest: string | null | undefined, text: string) => {
    const [salt = "", sum] = (digest ?? "").split("$");
    return createHash("sha256").update(`${salt}${text}`).digest("hex") === sum ? text : "another";
  };
  return {
    base: { label: "root", username: "admin", password: "Planted-Login-1!" },
    changes: {
      label: { to: "console" },
      username: {
        to: "operator",
        calls: ["managedCredentials.updateSecret password username"],
        shown: (id) => known(world.managedCredentials.get(id).username, "operator"),
      },
      password: {
        to: "Planted-Login-2!",
        calls: ["managedCredentials.updateSecret password"],
        shown: (id) => known(world.managedCredentials.get(id).password, "Planted-Login-2!"),
      },
    },
    /** Support staff look into it. */
    stir: (id) => world.managedCredentials.patch(id, { last_decrypted: world.clock.time() }),
  };
};
