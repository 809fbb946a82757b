import { createHash } from "node:crypto";
import fc from "fast-check";
import { constants } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

export const effects: Effects<"ManagedCredential"> = {
  label: ["managedCredentials.update"],
  password: ["managedCredentials.updateSecret"],
  username: ["managedCredentials.updateSecret"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"ManagedCredential"> = async ({ world }) => {
  /**
   * Returns `text` if it is the stored credential. The API does not return credentials, so the salted digest in the
   * emulator's table is compared.
   */
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
        read: (id) => known(world.managedCredentials.get(id).username, "operator"),
      },
      password: {
        to: "Planted-Login-2!",
        calls: ["managedCredentials.updateSecret password"],
        read: (id) => known(world.managedCredentials.get(id).password, "Planted-Login-2!"),
      },
    },
    /** Simulates that support staff use the credential. The new time of use must not be reported as drift. */
    changeUnmanaged: (id) => world.managedCredentials.patch(id, { last_decrypted: world.clock.time() }),
  };
};

/** Only exactly equal user names and passwords are equivalent, so each input has a single value here. */
export const equivalentValues: EquivalentValues = (base) => [
  { inputs: base, equivalent: { ...constants(base), username: fc.constant(base.username) } },
];

export const exampleEdit: ExampleEdit<"ManagedCredential"> = { label: "edited" };

export const templates: Templates = { ManagedCredential: {} };
