import { z } from "zod";
import { Id, ImageId } from "../schema/common";
import { weakPassword } from "../schema/errors";
import type { Rule } from "../schema/rule";

/**
 * Whether a password contains at least two of: lower case letters, upper case letters, digits, other characters. The
 * service rejects other passwords, although the API documentation limits only the length.
 */
const isStrong = (password: string): boolean =>
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length > 1;

export const RootPassword = z
  .string()
  .min(7)
  .max(128)
  .refine(isStrong, weakPassword)
  .meta({ secret: true })
  .describe(
    "Root password. Required to deploy an image. Must contain at least two of these kinds of characters: lower case letters, upper case letters, digits, other characters. Never returned.",
  );

export type Deployment = z.output<typeof Deployment>;
/**
 * Inputs for deploying an image: the image, the root password, SSH keys and a script. Shared by the requests that
 * create an instance, rebuild one or create a disk.
 */
export const Deployment = z.strictObject({
  image: ImageId.optional().describe(
    "Image to deploy, such as `compute/debian11` (public) or `private/123` (of the account).",
  ),
  root_pass: RootPassword.optional(),
  authorized_keys: z.array(z.string().min(1)).optional().describe("Public SSH keys to authorize for the root user."),
  authorized_users: z
    .array(z.string().min(1))
    .optional()
    .describe("Users whose SSH keys are authorized for the root user."),
  stackscript_id: Id.optional().describe(
    "Id of the StackScript (a setup script stored on the platform) to run at the first boot. The StackScript must support the image.",
  ),
  stackscript_data: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ opaque: true, secret: true })
    .describe("Values for the user-defined fields of the StackScript, by field name."),
});

/** Decided for the operations that deploy an image, because no operation returns the SSH keys of users. */
export const usersHaveKeys =
  "Every user of the account counts as having an SSH key, so `authorized_users` can contain each of them.";

const source = "part 1 · Endpoints · Compute instances";

export const deploymentRules: Rule<Deployment>[] = [
  {
    reads: ["image", "root_pass"],
    *check({ image, root_pass }) {
      if (image && !root_pass) yield { field: "root_pass", reason: `is required to deploy the image ${image}` };
    },
    creation: true,
    source: `${source} · rule 2`,
  },
  {
    reads: ["image", "stackscript_id"],
    *check({ image, stackscript_id }) {
      if (stackscript_id && !image)
        yield { field: "image", reason: `is required to run the StackScript ${stackscript_id}` };
    },
    source: `${source} · rule 3`,
  },
];
