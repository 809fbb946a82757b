import { Image, reasons } from "../../../api";
import { ErrorResponse, notFound } from "../../core/error-response";
import { entity, imageNamed } from "../../core/events";
import { rejectBusy } from "../../core/jobs";
import { type RowOf, table } from "../../core/store";
import { digest, grant } from "../../core/users";
import { task, type World } from "../../core/world";
import { seesImage } from "../../http/account-checks";
import type { Caller } from "../../http/auth";
import type { AreaModule } from "../../http/handlers";
import { RATE, rejectUnready } from "../compute/disk-jobs";
import { requireStatus, settled } from "../compute/instance-power";
import { imageEntity, imageId, numberOf, removeImage } from "./image-origins";
import { cancelUpload, expectUpload, uploadUrl } from "./image-uploads";
import { publicImages } from "./public-images";

const unset = { vendor: null, eol: null };

const CAPTURE_SECONDS = 20;

/**
 * Runs when the job that captures an image has ended. The image becomes available and gets the size of the data (`used`)
 * in place of the disk's size, or is deleted if the job failed.
 */
const captured = task<{ id: number; used?: number }>("images.captured", (world, { id, used }, outcome) => {
  if (!world.imageOrigins.find(id)) return;
  if (outcome === "failed") return removeImage(world, id);
  world.imageOrigins.patch(id, { disk_id: null });
  world.images.patch(imageId(id), { status: "available", size: used });
});

export const images: AreaModule<"images", { images: Image }> = {
  tables: {
    images: table<Image>(publicImages, { shape: Image, upgrade: (row) => ({ ...unset, ...row }) }),
  },
  tasks: [captured],
  handlers: {
    list: ({ world, caller }) => world.images.where((image) => seesImage(caller, image)),

    create({ world, caller, body }) {
      const disk = world.disks.find(body.disk_id);
      if (!disk || !caller.may("compute", disk.compute_id, "read_only"))
        throw new ErrorResponse(400, `There is no disk ${body.disk_id}`, "disk_id");
      const instance = world.instances.get(disk.compute_id);
      rejectBusy(world, instance.id);
      requireStatus(instance, settled, "disk_id");
      rejectUnready(disk);
      if (disk.filesystem === "swap")
        throw new ErrorResponse(
          400,
          `Disk ${disk.id} is a swap disk, and images of swap disks cannot be created`,
          "disk_id",
        );
      const origin = world.imageOrigins.insert({ filesystem: disk.filesystem, disk_id: disk.id, upload: null });
      const { label = disk.label, description = "" } = body;
      const image = add(world, caller, origin, {
        label,
        description,
        status: "creating",
        size: disk.size,
      });
      world.jobs.start({
        entity: entity("compute", instance),
        secondary: imageNamed(image, origin.id),
        action: "disk_imagize",
        seconds: CAPTURE_SECONDS + disk.used / RATE,
        compute: instance.id,
        task: captured,
        args: { id: origin.id, used: Math.max(1, disk.used) },
      });
      return image;
    },

    upload({ world, caller, body, origin: host }) {
      const { label, description = "", region } = body;
      if (world.regions.get(region).status !== "ok")
        throw new ErrorResponse(400, `Region ${region} has an outage`, "region");
      const token = world.random.hex(64);
      const origin = world.imageOrigins.insert({ filesystem: "ext4", disk_id: null, upload: null });
      const image = add(world, caller, origin, { label, description, status: "pending_upload", size: 0 });
      // Restricted users get access to the objects that they create. The router grants the access only if the response
      // is the object, but here the response contains it in `image`.
      if (caller.restricted) grant(world, caller.username as string, "image", image.id, "read_write");
      expectUpload(world, origin.id, digest(token));
      return { upload_to: uploadUrl(host, origin.id, token), image };
    },

    view({ world, path, caller }) {
      const image = world.images.get(path.imageId);
      if (!seesImage(caller, image)) throw notFound();
      return image;
    },

    update({ world, caller, path, body, emit }) {
      const image = ownImage(world, caller, path.imageId);
      if (body.status !== undefined && body.status !== image.status)
        throw new ErrorResponse(400, `Must be ${image.status}: the status cannot be changed`, "status");
      // Null removes the description.
      const changed = world.images.patch(image.id, { ...body, ...(body.description === null && { description: "" }) });
      emit(imageEntity(world, numberOf(image.id)));
      return changed;
    },

    delete({ world, caller, path, emit }) {
      const { id, status } = ownImage(world, caller, path.imageId);
      const number = numberOf(id);
      const upload = world.imageOrigins.find(number)?.upload;
      if (status === "creating" || (status === "pending_upload" && upload?.received))
        throw new ErrorResponse(
          400,
          `Image ${id} is ${upload ? "being processed" : status}; wait until it is available`,
        );
      const deleted = imageEntity(world, number);
      if (status === "pending_upload") cancelUpload(world, number);
      else removeImage(world, number);
      emit(deleted);
      return {};
    },
  },
};

/** The private image with the given id, if the caller may change it. Throws otherwise. */
function ownImage(world: World, caller: Caller, id: string): Readonly<Image> {
  const image = world.images.get(id);
  if (image.is_public) throw new ErrorResponse(403, reasons.unauthorized);
  caller.need("image", id, "read_write");
  return image;
}

function add(
  world: World,
  caller: Caller,
  { id }: RowOf<"imageOrigins">,
  image: Pick<Image, "label" | "description" | "status" | "size">,
): Readonly<Image> {
  return world.images.insert({
    ...unset,
    ...image,
    id: imageId(id),
    type: "manual",
    is_public: false,
    deprecated: false,
    created_by: caller.username as string,
    expiry: null,
  });
}
