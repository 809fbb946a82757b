import type { IncomingMessage, ServerResponse } from "node:http";
import type { Router } from "./router";

const MAX_LENGTH = 1000;

/**
 * Writes a line for each request when its response has been sent. If the connection was closed before, the status is
 * `cut`.
 */
export const accessLog =
  (router: Router, write: (line: string) => void) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { method = "", url = "" } = request;
    const startedAt = performance.now();
    response.once("close", () => {
      const status = response.writableFinished ? String(response.statusCode) : "cut";
      write(accessLine(method, router.withoutSecrets(method, url), status, performance.now() - startedAt));
    });
  };

export function accessLine(method: string, url: string, status: string, ms: number): string {
  const visibleUrl = visible(url);
  const shown = visibleUrl.length > MAX_LENGTH ? `${visibleUrl.slice(0, MAX_LENGTH)}…` : visibleUrl;
  return `${new Date().toISOString()} ${method} ${shown} ${status} ${Math.round(ms)} ms`;
}

/**
 * Escapes everything except visible ASCII characters, because a request's path may contain bytes that a terminal
 * executes.
 */
const visible = (text: string): string =>
  text.replaceAll(/[^!-~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
