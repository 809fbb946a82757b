import { z } from "zod";
import { Image, images, type Rule, uploadLimit } from "../../api";
import type { Observed } from "../engine/contexts";
import { resource } from "../engine/definition";
import { Asset, digestOf, type Given, plainAsset } from "./content";
import { packedSize, sendImage } from "./image-upload";

const source = "part 2 · Endpoints · Images";

const capture = images.create.body.shape;
const upload = images.upload.body.shape;

type Origin = Pick<Given, "file" | "source"> & { disk_id?: number | undefined };

const origins = ["disk_id", "file", "source"] as const;

const imageRules: Rule<Origin & { region?: string | undefined }>[] = [
  {
    reads: origins,
    *check(want) {
      const [first, ...others] = origins.filter((origin) => want[origin] !== undefined);
      if (!first) yield { field: "disk_id", reason: "is required unless file or source is set" };
      for (const other of others)
        yield { field: other, reason: `must be omitted if ${first === "disk_id" ? "diskId" : first} is set` };
    },
    source,
  },
  {
    reads: [...origins, "region"],
    *check({ disk_id, file, source, region }) {
      if ((file !== undefined || source !== undefined) && region === undefined)
        yield { field: "region", reason: "is required for an upload" };
      if (disk_id !== undefined && region !== undefined)
        yield { field: "region", reason: "must be omitted if diskId is set: only uploads have a region" };
    },
    source,
  },
];

/** Whether the image is waiting for the upload of its data. */
const isAwaited = ({ status, size }: Observed<Pick<Image, "status" | "size">>): boolean =>
  status === "pending_upload" && size === 0;

/** A different path or URL changes nothing: the content is compared. */
const hashed = { hashedIn: "content_hash" };

export const image = resource({
  name: "Image",
  summary: "Manages a private image for deploying instances, captured from a disk or uploaded.",
  elsewhere: {
    terraform: "linode_image",
    pulumi: "Image",
    note: {
      terraform: "`linode_id` is not needed: `diskId` identifies the disk.",
      pulumi: "`linodeId` is not needed: `diskId` identifies the disk.",
    },
  },
  inputs: z.strictObject({
    disk_id: capture.disk_id.optional(),
    file: z
      .string()
      .min(1)
      .optional()
      .meta(hashed)
      .describe(
        "Path of the file to upload: a raw disk image, optionally gzip-compressed. Other files are compressed during the upload.",
      ),
    source: Asset.optional().meta(hashed).describe("Asset to upload, as an alternative to `file`."),
    region: upload.region.optional(),
    content_hash: z
      .string()
      .optional()
      .meta({ computed: true })
      .describe("SHA-256 hash of the uploaded content, as hexadecimal digits."),
    label: upload.label.optional(),
    description: images.update.body.shape.description,
  }),
  outputs: Image.extend({
    upload_to: images.upload.result.shape.upload_to.optional(),
  }),
  identity: {
    area: "images",
    autoname: "label",
    extend: async ({ state }, record) =>
      record.status === "pending_upload" && state.upload_to ? { ...record, upload_to: state.upload_to } : record,
    lostCreate: { match: ["label"], found: ({ disk_id }) => (disk_id === undefined ? "recreate" : "adopt") },
  },
  inventory: { file: "compute", list: "operation", title: "label", isProvided: ({ is_public }) => is_public === true },
  fields: {
    label: "edit",
    // The API returns an empty text or null if there is no description.
    description: {
      change: "edit",
      current: ({ description }) => description || null,
      canonical: (description) => description || null,
    },
    disk_id: { change: "replace", replaceReason: "an image of another disk is another image" },
    region: { change: "replace", replaceReason: "the file is uploaded again, to the other region" },
    content_hash: { change: "replace", replaceReason: "an image of another file is another image" },
    file: "local",
    source: "local",
  },
  steps: {
    send: {
      when: ({ upload_to, ...observed }) => isAwaited(observed) && upload_to !== undefined,
      preview: () => "the data will be uploaded again, because an earlier upload did not finish",
      async run({ host, path, want, state, setState }) {
        const { label, file, source, content_hash: hash } = want;
        await sendImage(host, {
          name: `Image "${label}" (${path.imageId})`,
          to: state.upload_to ?? "",
          hash,
          file,
          source,
        });
        setState({ upload_to: undefined });
      },
    },
    edit: {
      run: ({ api, path, changed: { label, description } }) =>
        api.images.update({ path, body: { label, description } }),
    },
  },
  checks: {
    rules: imageRules,
    async resolve({ file, source: asset }, host) {
      const source = asset && plainAsset(asset);
      const path = [file === undefined ? "source" : "file"];
      const bytes = await packedSize(host, file ?? source?.path);
      // The size of a file is checked before its hash is computed, because reading a large file takes time.
      if (bytes > uploadLimit)
        return {
          problems: [{ path, reason: `must be at most ${uploadLimit} bytes after gzip compression; it is ${bytes}` }],
        };
      const { digest, problems = [] } = await digestOf(host, { file, source });
      if (!digest) return { problems };
      if (!digest.size) return { problems: [{ path, reason: "must be a disk image; it is empty" }] };
      return { inputs: { content_hash: digest.sha256, ...(source && { source }) } };
    },
  },
  readiness: {
    byStatus: {
      creating: "wait",
      pending_upload: ({ content_hash }) => (content_hash === undefined ? "wait" : "ready"),
      available: "ready",
    },
    pending(observed) {
      if (observed.status !== "pending_upload" || (isAwaited(observed) && observed.upload_to !== undefined))
        return undefined;
      return "the upload is in progress";
    },
  },
  async create({ api, want: { disk_id, region = "", label = "", description: declaredDescription }, setState }) {
    const description = declaredDescription ?? undefined;
    if (disk_id !== undefined) {
      const { id } = await api.images.create({ body: { disk_id, label, description } });
      return { imageId: id };
    }
    const { upload_to, image } = await api.images.upload({ body: { region, label, description } });
    setState({ upload_to });
    return { imageId: image.id };
  },
  delete: {
    blockedBy(observed) {
      if (observed.status === "creating") return "the image is being captured";
      return observed.status === "pending_upload" && !isAwaited(observed) ? "the data is being processed" : undefined;
    },
    // Images can have the same label, so the new image can be created first.
    replaceOrder: "createFirst",
  },
  // The limit for `read` is long, because a preview hashes the whole content, and downloads it first if it is a remote
  // asset.
  timeouts: { create: 7200, update: 7200, delete: 1800, read: 3600 },
});
