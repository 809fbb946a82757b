import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DispatchFailure } from "../../client/interceptors/dispatch";
import { header } from "../../client/interceptors/forwarding-handler";
import { LateError } from "../../engine/errors";
import { type Host, perConnection } from "../../engine/host";
import { CachedWork } from "../once";

/** Maximum size of a download in bytes. Neither an object nor an image can be larger. */
const MAX_BYTES = 5 * 1024 ** 3;
const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** For each connection to an account, the downloaded files by URL. A preview and the following update share them. */
const downloads = perConnection(() => new CachedWork<string>());

/** Downloads a URL to a temporary file, unless it is already downloaded. Returns the path of the file. */
export function downloaded(host: Host, url: URL, maxBytes = MAX_BYTES): Promise<string> {
  return downloads(host).get(host, url.href, `the download of ${shown(url)}`, () => download(host, url, maxBytes));
}

async function download(host: Host, from: URL, maxBytes: number): Promise<string> {
  const path = join(folder(), `${++count}`);
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const destination = createWriteStream(path);
    const request = { what: `GET ${shown(url)}`, method: "GET", url, destination, maxBytes } as const;
    const { status, headers } = await host.data(request).catch((error) => {
      throw explained(url, error);
    });
    if (status === 200) return path;
    const location = header(headers, "location");
    if (location === undefined || !REDIRECTS.includes(status)) throw new Error(`${shown(url)} returns ${status}`);
    url = redirected(url, location);
  }
  throw new Error(`${shown(from)} redirects more than ${MAX_REDIRECTS} times`);
}

function explained(url: URL, error: unknown): unknown {
  if (!(error instanceof DispatchFailure)) return error;
  if (error.kind === "deadline") return new LateError(`downloading ${shown(url)}`);
  return new Error(`${shown(url)} ${isFinal(error) ? "" : "cannot be reached: "}${error.message}`);
}

const isFinal = ({ kind }: DispatchFailure): boolean => kind === "contract" || kind === "storage";

/** The URL that a redirect leads to. Throws if an encrypted connection is redirected to an unencrypted one. */
function redirected(from: URL, location: string): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || (from.protocol === "https:" && url.protocol === "http:"))
    throw new Error(
      `${shown(from)} redirects to an address that is not ${from.protocol === "https:" ? "https" : "http or https"}`,
    );
  return url;
}

/** The URL for messages, without its query, which may contain credentials. */
const shown = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

let count = 0;
let createdFolder: string | undefined;

/** The folder for the temporary files of this process. It is deleted when the process exits. */
function folder(): string {
  if (createdFolder === undefined) {
    const path = mkdtempSync(join(tmpdir(), "cloudinfra-"));
    process.once("exit", () => rmSync(path, { recursive: true, force: true }));
    createdFolder = path;
  }
  return createdFolder;
}
