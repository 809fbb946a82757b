import { readFile } from "node:fs/promises";
import { z } from "zod";
import { OAuthClient, oauthClients, type Rule } from "../../api";
import { resource } from "../engine/resource";
import { bodyOf } from "./body";
import { hashOfFile, hashOfShown } from "./oauth-thumbnail";

const source = "part 3 · Endpoints · Account and billing";
const { create, update } = oauthClients;

/** The secret as it was made: nobody has asked for another one yet. */
const FIRST = 1;

const thumbnailRules: Rule<{ thumbnail?: string | undefined; thumbnail_hash?: string | undefined }>[] = [
  {
    reads: ["thumbnail", "thumbnail_hash"],
    *check({ thumbnail, thumbnail_hash }) {
      if (thumbnail_hash !== undefined && thumbnail === undefined)
        yield { field: "thumbnail_hash", reason: "must be absent: it is told by the file that thumbnail names" };
    },
    source,
  },
];

export const oauthClient = resource({
  kind: "OauthClient",
  summary: "An application that asks users of the service for access to their accounts, with its secret.",
  source,
  area: "oauthClients",
  inputs: create.body.extend({
    secret_version: z
      .union([z.int(), z.string()])
      .default(FIRST)
      .meta({ canonical: String })
      .describe("Any other value than before gives the application a new secret; the old one is invalid at once."),
    thumbnail: z
      .string()
      .optional()
      .meta({ toldBy: "thumbnail_hash" })
      .describe("Path of a PNG file with its picture. Left out, the picture stays: the service does not remove one."),
    thumbnail_hash: z.string().optional().meta({ computed: true }).describe("SHA-256 of the picture, in hex."),
  }),
  outputs: OAuthClient.extend({
    secret: OAuthClient.shape.secret.describe(
      "Its secret. Only a reset tells it, so it is reset once after the creation; `<REDACTED>` where the application was made elsewhere.",
    ),
    secret_version: z.union([z.int(), z.string()]).describe("Which of its secrets it is."),
    thumbnail_hash: z.string().optional().describe("SHA-256 of its picture, in hex, where the program states one."),
  }),
  changes: {
    label: "edit",
    redirect_uri: "edit",
    public: "edit",
    secret_version: "reset",
    thumbnail: "local",
    thumbnail_hash: "picture",
  },
  exceptions: {
    secret_version: "`oauthClients.resetSecret` makes a new secret",
    thumbnail_hash: "`oauthClients.updateThumbnail` puts the picture in place of the old one",
  },
  steps: {
    edit: {
      run: ({ api, path, changed }) => api.oauthClients.update({ path, body: bodyOf(update.body, changed) }),
    },
    reset: {
      // A lost answer leaves the version undone: the secret that nobody was told is reset again.
      async run({ api, path, want: { secret_version }, learn }) {
        const { secret } = await api.oauthClients.resetSecret({ path });
        learn({ secret, secret_version });
      },
      announce: (_, was) => (was.secret ? "the secret is reset; the old one is invalid at once" : undefined),
    },
    picture: {
      run: async ({ api, path, want: { thumbnail = "" } }) =>
        api.oauthClients.updateThumbnail({ path, body: await readFile(thumbnail) }),
    },
  },
  rules: thumbnailRules,
  key: ["label", "redirect_uri", "public"],
  states: { active: "ready", disabled: "ready", suspended: "ready" },
  async complete({ thumbnail }) {
    if (thumbnail === undefined) return {};
    const { hash, problems = [] } = await hashOfFile(thumbnail);
    return { inputs: { thumbnail_hash: hash }, problems };
  },
  async create({ api, want }) {
    const { id } = await api.oauthClients.create({ body: bodyOf(create.body, want) });
    return { clientId: id };
  },
  async read({ api, path, want, was, fresh }, record) {
    // Of what state does not know nor anybody makes the secret was given out elsewhere, and stays valid.
    const adopted = !fresh && !Object.keys(was).length;
    const secret = adopted ? record.secret : was.secret;
    const version = secret === undefined ? undefined : (was.secret_version ?? FIRST);
    const pictured = want.thumbnail_hash !== undefined && record.thumbnail_url !== null;
    return {
      ...record,
      // Only a client that is not finished lacks them, and nobody is shown that one.
      secret: secret as string,
      secret_version: version as typeof FIRST,
      thumbnail_hash: pictured ? await hashOfShown(api, path) : undefined,
    };
  },
});
