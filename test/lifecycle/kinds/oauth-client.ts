import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { png } from "../../contract/png";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

const folder = join(tmpdir(), `cloudinfra-pictures-${process.pid}`);
mkdirSync(folder, { recursive: true });

/** Writes a square PNG file with the given number of pixels per side, and returns its path. */
export function picture(name: string, side: number): string {
  const file = join(folder, name);
  writeFileSync(file, png(side, side));
  return file;
}

const hashOf = (file: string) => sha256(readFileSync(file));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export const effects: Effects<"OAuthClient"> = {
  label: ["oauthClients.update"],
  redirectUri: ["oauthClients.update"],
  public: ["oauthClients.update"],
  secretVersion: ["oauthClients.resetSecret"],
  thumbnail: "local",
  thumbnailHash: ["oauthClients.updateThumbnail"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"OAuthClient"> = async ({ world }) => {
  const [small, same, large] = [picture("small.png", 2), picture("same.png", 2), picture("large.png", 3)];
  /**
   * Returns `to` if the client secret was reset, otherwise undefined. The API does not return whether it was, so the
   * account's events are searched.
   */
  const reset = (to: unknown) => () =>
    world.events.table.all().some(({ action }) => action === "oauth_client_secret_reset") ? to : undefined;
  const read = (id: string) => sha256(Buffer.from(world.oauthClients.get(id).thumbnail ?? "", "base64"));
  return {
    base: { label: "Shop", redirectUri: "https://shop.example.org/login" },
    changes: {
      label: { to: "Store" },
      redirectUri: { to: "http://localhost:8080/back" },
      public: [{ to: true }, { before: { public: true }, to: false }],
      secretVersion: [
        { to: 2, calls: ["oauthClients.resetSecret"], read: reset(2) },
        { before: { secretVersion: 2 }, to: "autumn", calls: ["oauthClients.resetSecret"], read: reset("autumn") },
      ],
      thumbnail: { before: { thumbnail: small }, to: same },
      thumbnailHash: [
        { to: hashOf(small), along: { thumbnail: small }, calls: ["oauthClients.updateThumbnail"], read },
        {
          before: { thumbnail: small },
          to: hashOf(large),
          along: { thumbnail: large },
          calls: ["oauthClients.updateThumbnail"],
          read,
        },
      ],
    },
    /** Does nothing, because the object has no field that changes without an update. */
    changeUnmanaged: () => {},
  };
};

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { thumbnail: picture("one.png", 2) },
    equivalent: {
      public: fc.constantFrom(false, undefined),
      secretVersion: fc.constantFrom(1, "1", undefined),
      thumbnail: fc.constantFrom(picture("one.png", 2), picture("other.png", 2)),
    },
  },
];

export const exampleEdit: ExampleEdit<"OAuthClient"> = { redirectUri: "https://edited.example.org/" };

export const templates: Templates = { OAuthClient: {} };
