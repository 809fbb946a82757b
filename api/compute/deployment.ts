import { z } from "zod";
import { Id, ImageId } from "../schema/common";
import { weakPassword } from "../schema/errors";
import type { Rule } from "../schema/rule";

/** The service refuses passwords of one kind of characters; the documents name the length only. */
const isStrong = (password: string): boolean =>
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length > 1;

export const RootPassword = z
  .string()
  .min(7)
  .max(128)
  .refine(isStrong, weakPassword)
  .meta({ secret: true })
  .describe("Password of the root user, of at least two kinds of characters; never shown again.");

export type Deployment = z.output<typeof Deployment>;
/** What goes onto a disk: the part that instances, rebuilds and disks have in common. */
export const Deployment = z.strictObject({
  image: ImageId.optional().describe(
    "Image to deploy: `compute/…` for public ones, `private/…` for the account's own.",
  ),
  root_pass: RootPassword.optional(),
  authorized_keys: z.array(z.string().min(1)).optional().describe("Public SSH keys that may log in as root."),
  authorized_users: z.array(z.string().min(1)).optional().describe("Users whose SSH keys may log in as root."),
  stackscript_id: Id.optional().describe("Script to run at the first boot; the image must suit it."),
  stackscript_data: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ opaque: true, secret: true })
    .describe("Answers to the questions that the script asks."),
});

const source = "part 1 · Endpoints · Compute instances";

/** What a deployment asks for besides each field's own bounds. */
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
      if (stackscript_id && !image) yield { field: "image", reason: `is required to run the script ${stackscript_id}` };
    },
    source: `${source} · rule 3`,
  },
];
