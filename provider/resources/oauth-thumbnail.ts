import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { Png, type Problem, problemsOf } from "../../api";
import { ApiError } from "../client/errors";
import type { Host } from "../engine";

/** The hash of the picture in a file, or why the service would not take it. */
export async function hashOfFile(file: string): Promise<{ hash?: string; problems?: Problem[] }> {
  try {
    const bytes = await readFile(file);
    const parsed = z.safeParse(Png, bytes);
    if (parsed.success) return { hash: hashOf(bytes) };
    return { problems: problemsOf(parsed.error.issues).map(({ reason }) => ({ path: ["thumbnail"], reason })) };
  } catch (error) {
    return { problems: [{ path: ["thumbnail"], reason: `can't be read: ${(error as Error).message}` }] };
  }
}

/** The hash of the picture that the service has; undefined when it has none. */
export async function hashOfShown(api: Host["api"], path: { clientId: string }): Promise<string | undefined> {
  try {
    return hashOf(await api.oauthClients.viewThumbnail({ path }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
