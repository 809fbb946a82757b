import { z } from "zod";
import { Image, images, type Rule, uploadLimit } from "../../api";
import { resource } from "../engine/resource";
import { Asset, digestOf, type Given } from "./content";
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
      if (!first) yield { field: "disk_id", reason: "is required unless file or source is given" };
      for (const other of others)
        yield { field: other, reason: `must not be given beside ${first === "disk_id" ? "diskId" : first}` };
    },
    source,
  },
  {
    reads: [...origins, "region"],
    *check({ disk_id, file, source, region }) {
      if ((file !== undefined || source !== undefined) && region === undefined)
        yield { field: "region", reason: "is required for an upload" };
      if (disk_id !== undefined && region !== undefined)
        yield { field: "region", reason: "must be absent beside diskId: it says where an upload goes" };
    },
    source,
  },
];

/** Its data are awaited, and nothing has come of them. */
const isAwaited = ({ status, size }: Partial<Pick<Image, "status" | "size">>): boolean =>
  status === "pending_upload" && size === 0;

export const image = resource({
  kind: "Image",
  summary: "A private image that instances are deployed from: captured from a disk, or uploaded.",
  source,
  area: "images",
  inputs: z.strictObject({
    disk_id: capture.disk_id.optional(),
    file: z
      .string()
      .min(1)
      .optional()
      .describe("File to upload: a raw disk image, as it is or as gzip; what is no gzip is compressed on the way."),
    source: Asset.optional().describe("What to upload, as an asset; like `file`."),
    region: upload.region.optional(),
    content_hash: z
      .string()
      .optional()
      .meta({ computed: true })
      .describe(
        "SHA-256 of what was uploaded: only other content makes another image, another name or place does not.",
      ),
    label: upload.label.optional(),
    description: images.update.body.shape.description,
  }),
  outputs: Image.extend({
    upload_to: images.upload.result.shape.upload_to.optional(),
  }),
  changes: {
    label: "edit",
    description: "edit",
    disk_id: "replace",
    region: "replace",
    content_hash: "replace",
    // What they hold is what matters, and the hash tells it.
    file: "local",
    source: "local",
  },
  exceptions: {
    file: "the same content from elsewhere is the same image, other content another one",
    source: "the same content from elsewhere is the same image, other content another one",
  },
  steps: {
    send: {
      due: ({ upload_to, ...seen }) => isAwaited(seen) && upload_to !== undefined,
      announce: () => "its data are sent, which was not done to the end",
      async run({ host, path, want, was, learn }) {
        const { label, file, source, content_hash: hash } = want;
        await sendImage(host, {
          name: `Image "${label}" (${path.imageId})`,
          to: was.upload_to ?? "",
          hash,
          file,
          source,
        });
        learn({ upload_to: undefined });
      },
    },
    edit: {
      run: ({ api, path, changed: { label, description } }) =>
        api.images.update({ path, body: { label, description } }),
    },
  },
  rules: imageRules,
  autoname: "label",
  // Images may share a label, so the new one can come before the old one goes.
  deleteFirst: false,
  key: ["label"],
  secretive: ({ disk_id }) => disk_id === undefined,
  // A preview reads all of the data, which a remote asset has to be downloaded for.
  timeouts: { create: 7200, update: 7200, delete: 1800, read: 3600 },
  states: {
    creating: "wait",
    pending_upload: ({ content_hash }) => (content_hash === undefined ? "wait" : "ready"),
    available: "ready",
  },
  pending({ status, size, upload_to }) {
    if (status !== "pending_upload" || (size === 0 && upload_to !== undefined)) return undefined;
    return "the service takes the data in";
  },
  async complete({ file, source }, host) {
    const path = [file === undefined ? "source" : "file"];
    const bytes = await packedSize(host, file ?? source?.path);
    // Before it is read as a whole, which takes its time.
    if (bytes > uploadLimit)
      return { problems: [{ path, reason: `must have at most ${uploadLimit} bytes as gzip; it has ${bytes}` }] };
    const { digest, problems = [] } = await digestOf(host, { file, source });
    if (!digest) return { problems };
    if (!digest.size) return { problems: [{ path, reason: "holds no disk image: it is empty" }] };
    return { inputs: { content_hash: digest.sha256 } };
  },
  async create({ api, want: { disk_id, region = "", label = "", description: given }, learn }) {
    const description = given ?? undefined;
    if (disk_id !== undefined) {
      const { id } = await api.images.create({ body: { disk_id, label, description } });
      return { imageId: id };
    }
    const { upload_to, image } = await api.images.upload({ body: { region, label, description } });
    learn({ upload_to });
    return { imageId: image.id };
  },
  async read({ was }, record) {
    return record.status === "pending_upload" && was.upload_to ? { ...record, upload_to: was.upload_to } : record;
  },
  keeps({ status, size }) {
    if (status === "creating") return "it is being captured";
    return status === "pending_upload" && size > 0 ? "its data are being processed" : undefined;
  },
});
