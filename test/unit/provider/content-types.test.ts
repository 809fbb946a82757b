import { expect, test } from "vitest";
import { typeByEnding } from "../../../provider/resources/content/types";

test.each([
  ["photo.bmp", "image/bmp"],
  ["photo.JPEG", "image/jpeg"],
  ["icon.ico", "image/x-icon"],
  ["table.csv", "text/csv"],
  ["app.mjs", "text/javascript"],
  ["app.wasm", "application/wasm"],
  ["app.webmanifest", "application/manifest+json"],
  ["font.woff2", "font/woff2"],
  ["backup.tar", "application/x-tar"],
  ["backup.tar.gz", "application/gzip"],
  ["config.yml", "application/yaml"],
  ["clip.mp4", "video/mp4"],
  ["README", "application/octet-stream"],
])("%s has the content type %s", (name, type) => {
  expect(typeByEnding(undefined, name)).toBe(type);
});
