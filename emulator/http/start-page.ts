import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { VERSION } from "../../api";
import { first, type Incoming, type Outgoing } from "./messages";

const DOCS = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra/blob/main/docs";

const style = `
:root { color-scheme: light dark; --page: #fff; --panel: #f4f6f8; --line: #c9d0d8; --text: #1a1f26; --soft: #515c69; --link: #4338ca; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171c; --panel: #1d2229; --line: #3a424d; --text: #e6e9ee; --soft: #a8b2bf; --link: #a5b4fc; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: auto; padding: clamp(1.5rem, 6vw, 4rem) 1.25rem; }
svg { display: block; width: 3rem; height: 3rem; margin-bottom: 1rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; } h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem; }
p { margin: .5rem 0; } a { color: var(--link); } .soft { color: var(--soft); }
code, pre { font: .9rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre, dl { margin: .75rem 0; padding: .9rem 1.1rem; background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; }
pre { white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.5rem; margin-top: 1.5rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd + dt { margin-top: .5rem; } }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
`;

const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  vary: "accept",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Whether a client asks for HTML, like a browser. Clients of the API send no header Accept, or one without
 * `text/html`.
 */
export const acceptsHtml = ({ accept }: Incoming["headers"]): boolean =>
  (first(accept) ?? "").split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === "text/html" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/**
 * The address at which the server received the connection. Unlike the header Host, a client cannot choose its text.
 */
export function originOf({ localAddress = "", localPort = 0 }: Socket): string {
  const address = localAddress.replace(/^::ffff:/, "");
  return `http://${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}

/** The page at `/` for people who open the emulator's address in a browser. It contains nothing of the account. */
export function startPage(origin: string): Outgoing {
  const url = escaped(`${origin}/v4`);
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Emulator of the Cloud Infrastructure API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#4f46e5"/><path d="M10.5 22.5a5 5 0 0 1-.6-10 6.6 6.6 0 0 1 12.7 1.6 4.3 4.3 0 0 1-.6 8.4z" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/></svg>
<h1>Emulator of the Cloud Infrastructure API</h1>
<p class="soft">This server emulates the whole service. Its servers, volumes and domains exist only here, and nothing is billed.</p>
<dl>
<dt>Address</dt><dd><code>${url}</code></dd>
<dt>API version</dt><dd>${escaped(VERSION)}</dd>
<dt>OpenAPI</dt><dd><a href="/openapi.json">/openapi.json</a></dd>
</dl>
<p><a href="/_emulator/">Open the console</a>, which shows the account and controls the emulator.</p>
<h2>Send a request</h2>
<pre>curl -H "Authorization: Bearer emulator" ${url}/volumes</pre>
<p><code>emulator</code> is the default token. If the emulator was started with <code>--token</code>, use that token instead.</p>
<h2>Use it with Pulumi</h2>
<pre>pulumi config set cloudinfra:url ${url}
pulumi config set --secret cloudinfra:token emulator</pre>
<h2>Documentation</h2>
<p><a href="${DOCS}/getting-started.md">Getting started</a> · <a href="${DOCS}/emulator.md">The emulator</a> · <a href="${DOCS}/api/README.md">API operations</a></p>
</main>
</body>
</html>
`;
  return { status: 200, headers, body };
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
