import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { MAX_PICTURE_BYTES, OAuthClient, oauthClients, Png, type Problem, problemsOf } from "../../api";
import { isInDoubt, isNotFound } from "../client/errors";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { bodyOf } from "./body";
import { requireFile } from "./content/require-file";

const source = "part 3 · Endpoints · Account and billing";
const { create, update } = oauthClients;

/** Default of `secretVersion`: the version of the secret that a client has after creation. */
const FIRST = 1;

export const oauthClient = resource({
  name: "OAuthClient",
  summary: "Manages an OAuth client: an application that requests access to users' accounts.",
  inputs: create.body.extend({
    secret_version: z
      .union([z.int(), z.string()])
      .default(FIRST)
      .meta({ canonical: String })
      .describe(
        "Version of the secret: any text or number. Changing this resets the secret; the old one becomes invalid immediately.",
      ),
    thumbnail: z
      .string()
      .optional()
      .meta({ hashedIn: "thumbnail_hash" })
      .describe(
        "Path of a PNG file with the picture of the application. If omitted, the picture is unchanged: the API cannot remove one.",
      ),
    thumbnail_hash: z
      .string()
      .optional()
      .meta({ computed: true })
      .describe("SHA-256 hash of the picture, as hexadecimal digits."),
  }),
  outputs: OAuthClient.extend({
    secret: OAuthClient.shape.secret.describe(
      "Client secret. Because the API returns it only in response to a reset, it is reset once after creation. `<REDACTED>` for an application that was created outside this program.",
    ),
    secret_version: z.union([z.int(), z.string()]).describe("Version of the secret that was set last."),
    thumbnail_hash: z
      .string()
      .optional()
      .describe("SHA-256 hash of the picture, as hexadecimal digits. Unset if the program does not set a picture."),
  }),
  identity: {
    area: "oauthClients",
    async extend({ api, path, want, state, age }, record) {
      // A client that was created outside this program is in use elsewhere with its current secret, so the secret is
      // not reset.
      const isAdopted = age === "recent" && !Object.keys(state).length;
      const secret = isAdopted ? record.secret : state.secret;
      const isPictured = want.thumbnail_hash !== undefined && record.thumbnail_url !== null;
      return {
        ...record,
        secret,
        // If state does not contain the secret, its version is omitted as well. The version then differs from the
        // program, so `steps.reset` runs and obtains a new secret.
        secret_version: secret === undefined ? undefined : (state.secret_version ?? FIRST),
        thumbnail_hash: isPictured ? await hashOfPicture(api, path) : undefined,
      };
    },
    lostCreate: { match: ["label", "redirect_uri", "public"] },
  },
  inventory: { file: "account", list: "operation", title: "label" },
  fields: {
    label: "edit",
    redirect_uri: "edit",
    public: "edit",
    secret_version: { change: "reset", by: ["oauthClients.resetSecret"], touches: ["secret"] },
    thumbnail: "local",
    thumbnail_hash: { change: "picture", by: ["oauthClients.updateThumbnail"], touches: ["thumbnail_url"] },
  },
  steps: {
    edit: {
      run: ({ api, path, changed }) => api.oauthClients.update({ path, body: bodyOf(update.body, changed) }),
    },
    reset: {
      preview: ({ state }) =>
        state.secret
          ? "resets the secret; the old one becomes invalid immediately"
          : "resets the secret, because the current one is not known",
      async run({ api, path, want: { secret_version }, setState }) {
        const { secret } = await api.oauthClients.resetSecret({ path }).catch((error) => {
          // The secret in state may be invalid. Without one, the next update resets it again.
          if (isInDoubt(error)) setState({ secret: undefined, secret_version: undefined });
          throw error;
        });
        setState({ secret, secret_version });
      },
    },
    picture: {
      run: async ({ api, path, want: { thumbnail = "" } }) =>
        api.oauthClients.updateThumbnail({ path, body: await pictureIn(thumbnail) }),
    },
  },
  checks: {
    rules: [
      {
        reads: ["thumbnail", "thumbnail_hash"],
        *check({ thumbnail, thumbnail_hash }) {
          if (thumbnail_hash !== undefined && thumbnail === undefined)
            yield {
              field: "thumbnail_hash",
              reason: "must be omitted: it is computed from the file that thumbnail names",
            };
        },
        source,
      },
    ],
    async resolve({ thumbnail }) {
      if (thumbnail === undefined) return {};
      const { hash, problems = [] } = await hashOfFile(thumbnail);
      return { inputs: { thumbnail_hash: hash }, problems };
    },
  },
  readiness: { byStatus: { active: "ready", disabled: "ready", suspended: "ready" } },
  async create({ api, want }) {
    const { id } = await api.oauthClients.create({ body: bodyOf(create.body, want) });
    return { clientId: id };
  },
});

/** The picture in a file. Of a file that is too large, only one byte more than the service accepts is read. */
async function pictureIn(file: string): Promise<Buffer> {
  await requireFile(file);
  return buffer(createReadStream(file, { end: MAX_PICTURE_BYTES }));
}

/** The hash of the picture in a file, or the reason why the service would reject the picture. */
async function hashOfFile(file: string): Promise<{ hash?: string; problems?: Problem[] }> {
  try {
    const bytes = await pictureIn(file);
    const parsed = z.safeParse(Png, bytes);
    if (parsed.success) return { hash: hashOf(bytes) };
    return { problems: problemsOf(parsed.error.issues).map(({ reason }) => ({ path: ["thumbnail"], reason })) };
  } catch (error) {
    return { problems: [{ path: ["thumbnail"], reason: `cannot be read: ${(error as Error).message}` }] };
  }
}

async function hashOfPicture(api: Host["api"], path: { clientId: string }): Promise<string | undefined> {
  try {
    return hashOf(await api.oauthClients.viewThumbnail({ path }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
