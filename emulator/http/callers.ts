import type { IncomingMessage } from "node:http";

/**
 * A browser on this machine reaches loopback addresses too. A page whose own name resolves to one (DNS rebinding) could
 * call the API with the emulator's well-known token, but its requests carry that name.
 */
export const hostProblem = ({ headers: { host }, socket }: IncomingMessage): string | undefined =>
  isLoopback(socket.localAddress) && !isLocalName(host)
    ? `The request's Host header is ${JSON.stringify(host ?? "")}, which is not a loopback name: use localhost or 127.0.0.1 in the URL`
    : undefined;

/** The control interface needs no token, so it is closed to other machines and to web pages, which send an Origin. */
export const controlProblem = ({ headers: { host, origin }, socket }: IncomingMessage): string | undefined =>
  !isLoopback(socket.remoteAddress) || origin !== undefined || !isLocalName(host)
    ? "Only programs on this machine can control the emulator: use localhost or 127.0.0.1 in the URL"
    : undefined;

const isLoopback = (address: string | undefined): boolean => /^(::1$|(::ffff:)?127\.)/.test(address ?? "");

const isLocalName = (host: string | undefined): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host ?? "");
