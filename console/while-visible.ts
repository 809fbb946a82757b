interface Page {
  readonly hidden: boolean;
  addEventListener(event: "visibilitychange", listener: () => void): void;
}

/**
 * Keeps a stream open while the page is visible. A browser allows six connections per host, so the streams of six tabs
 * would block all requests of another tab. A hidden page also draws no frames, in which it would take changes over.
 */
export function whileVisible(page: Page, open: () => { close(): void }): void {
  let stream: { close(): void } | undefined;
  const follow = (): void => {
    if (!page.hidden) stream ??= open();
    else {
      stream?.close();
      stream = undefined;
    }
  };
  page.addEventListener("visibilitychange", follow);
  follow();
}
