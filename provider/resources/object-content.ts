import { isInDoubt, isNotFound } from "../client/errors";
import type { Host } from "../engine";
import { asLost, type Given, open, TransferError, transfer, typeByEnding } from "./content";

interface Place {
  clusterId: string;
  bucket: string;
  name: string;
}

interface Wanted extends Given {
  content_type?: string | undefined;
  etag?: string | undefined;
}

type Api = Host["api"];

/** How often a URL is asked for whose answer is lost: one more of them does no harm. */
const TRIES = 3;

/** The object as the list of its bucket and its ACL show it; undefined when it, or its bucket, is gone. */
export async function lookAt(api: Api, { name, ...path }: Place) {
  try {
    // Of all names that begin so, the name itself is the first.
    const { data } = await api.objectStorageObjects.list({ path, query: { prefix: name, page_size: 25 } });
    const found = data.find((entry) => entry.name === name);
    if (!found) return undefined;
    const { etag, last_modified, owner, size } = found;
    const { acl } = await api.objectStorageObjects.viewAcl({ path, query: { name } });
    return { name, etag: etag ?? "", last_modified: last_modified ?? "", owner: owner ?? "", size: size ?? 0, acl };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A new object never takes the place of another; one that holds the same was left by a creation whose end nobody saw. */
export async function refuseOther(api: Api, { name, ...path }: Place, want: Wanted): Promise<void> {
  const { data } = await api.objectStorageObjects.list({ path, query: { prefix: name, page_size: 25 } });
  const found = data.find((entry) => entry.name === name);
  if (!found || found.etag === want.etag) return;
  const id = `${path.clusterId}/${path.bucket}/${name}`;
  throw new Error(
    `ObjectStorageObject ${id} exists already with other content; adopt it (cloudinfra adopt ObjectStorageObject NAME ${id}), delete it, or choose another name`,
  );
}

interface Writing {
  host: Host;
  api: Api;
  path: Place;
  want: Wanted;
}

/** Writes the object, over what it held, and answers the MD5 of what the service has got. */
export async function write({ host, api, path, want }: Writing): Promise<string> {
  const { content_type = typeByEnding(want.file, want.source?.path, pathOf(want.source?.uri), path.name) } = want;
  const content = await open(host, want);
  const { etag } = await transfer(host, {
    what: whatOf("PUT", path),
    method: "PUT",
    url: () => signed(api, path, { method: "PUT", content_type }),
    headers: { "content-type": content_type, "content-length": String(content.size) },
    body: content.bytes,
  }).catch((error) => {
    throw asLost(whatOf("PUT", path), error);
  });
  return String(etag).replaceAll('"', "");
}

/** A query is not part of a name. */
const pathOf = (uri: string | undefined): string | undefined => uri && new URL(uri).pathname;

/** Writes an object that state knows. What changes while it is sent is not what was announced. */
export async function rewrite(writing: Writing): Promise<void> {
  const sent = await write(writing);
  if (sent !== writing.want.etag)
    throw new Error(`${whatOf("PUT", writing.path)}: what was to be sent has changed since; run the update again`);
}

/** Deletes the object; also succeeds when it, or its bucket, is gone. */
export const erase = ({ host, api, path }: Omit<Writing, "want">): Promise<unknown> =>
  transfer(host, {
    what: whatOf("DELETE", path),
    method: "DELETE",
    url: () => signed(api, path, { method: "DELETE" }),
  }).catch((error) => {
    if (!(error instanceof TransferError) || error.status !== 404) throw error;
  });

const whatOf = (method: string, { clusterId, bucket, name }: Place): string =>
  `${method} of object ${clusterId}/${bucket}/${name}`;

async function signed(
  api: Api,
  { name, ...path }: Place,
  order: { method: "PUT"; content_type: string } | { method: "DELETE" },
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return (await api.objectStorageObjects.createUrl({ path, body: { name, ...order } })).url;
    } catch (error) {
      if (!isInDoubt(error) || tries === TRIES) throw error;
    }
  }
}
