import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Outgoing } from "../http/messages";

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Console of the emulator</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="console.css">
<script type="module" src="console.js"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript. The control interface and the API work without it.</noscript>
</body>
</html>
`;

const types: Readonly<Record<string, string>> = {
  "console.css": "text/css; charset=utf-8",
  "console.js": "text/javascript; charset=utf-8",
};

/** Names of the console's files below `/_emulator/`. */
export const assets: readonly string[] = Object.keys(types);

export const consolePage = (): Outgoing => ({
  status: 200,
  headers: { ...headers, "content-type": "text/html; charset=utf-8" },
  body: page,
});

/** A file of the console. It is read when it is first requested, so that the emulator starts as fast as without it. */
export function asset(name: string): Outgoing {
  const body = cached.get(name) ?? readFileSync(join(folder(), name));
  cached.set(name, body);
  return { status: 200, headers: { ...headers, "content-type": types[name] ?? "" }, body };
}
const cached = new Map<string, Uint8Array>();

/** The build puts the files into `dist/console`, also if the emulator itself runs from its sources. */
const folder = (): string => join(dirname(require.resolve("pulumi-cloudinfra/package.json")), "dist/console");
