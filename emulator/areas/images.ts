import { Image, type images } from "../../api";
import type { Caller } from "../auth";
import * as catalogues from "../catalogues";
import type { Handlers } from "../handlers";
import { notFound } from "../refusal";
import { table } from "../store";

export const tables = { images: table<Image>(catalogues.images, { shape: Image }) };

export const handlers: Handlers<typeof images> = {
  list: ({ world, caller }) => world.images.where((image) => sees(caller, image)),
  view({ world, path, caller }) {
    const image = world.images.get(path.imageId);
    if (!sees(caller, image)) throw notFound();
    return image;
  },
};

/** Public images are everybody's; the account's own need a token. */
const sees = (caller: Caller, image: Readonly<Image>): boolean =>
  image.is_public || (caller.username !== null && caller.may("image", image.id, "read_only"));
