import type { IncomingMessage } from "node:http";

/**
 * The reason to reject a request because of its header Host. A web page whose domain resolves to this machine (DNS
 * rebinding) could otherwise call the API with the emulator's well-known token.
 */
export const hostProblem = ({ headers: { host }, socket }: IncomingMessage): string | undefined =>
  isLoopback(socket.localAddress) && !isLocalName(host)
    ? `The request's Host header is ${JSON.stringify(host ?? "")}, which is not a loopback name: use localhost or 127.0.0.1 in the URL`
    : undefined;

/**
 * The reason to reject a request to `/_emulator/…`. Such requests need no token, so they are not accepted from other
 * machines, nor from web pages except the console.
 */
export const controlProblem = ({ headers, socket }: IncomingMessage): string | undefined =>
  !isLoopback(socket.remoteAddress) || !isLocalName(headers.host) || isFromOtherPage(headers)
    ? "Only programs on this machine can control the emulator: use localhost or 127.0.0.1 in the URL"
    : undefined;

/**
 * Whether a web page of another origin has sent the request. A link of another page may open the console, because the
 * other page cannot read what the browser then shows.
 */
const isFromOtherPage = ({ host, origin, ...headers }: IncomingMessage["headers"]): boolean =>
  (origin !== undefined && origin !== `http://${host}`) ||
  (["cross-site", "same-site"].includes(String(headers["sec-fetch-site"])) && headers["sec-fetch-mode"] !== "navigate");

const isLoopback = (address: string | undefined): boolean => /^(::1$|(::ffff:)?127\.)/.test(address ?? "");

const isLocalName = (host: string | undefined): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host ?? "");
