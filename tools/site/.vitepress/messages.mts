import { readFileSync } from "node:fs";

export interface MessagePage {
  params: { message: string; title: string };
  content: string;
}

/** Longest file name of a page, without its ending. */
const LONGEST = 80;

const page = new URL("../../../docs/troubleshooting.md", import.meta.url);

/**
 * The pages for the messages in docs/troubleshooting.md, so that a search engine finds each message by its title. The
 * site's own search omits them, because it finds the headings of that page.
 */
export function messagePages(): MessagePage[] {
  return readFileSync(page, "utf8")
    .split(/^(?=##+ )/m)
    .flatMap((section) => {
      const [, heading, text] = /^### (.*)\n([\s\S]*)/.exec(section) ?? [];
      if (heading === undefined || text === undefined) return [];
      const content = `# ${heading}\n\n${text.trim()}\n\nOther messages are in [Troubleshooting](troubleshooting.md).\n`;
      const params = { message: fileNameOf(heading), title: heading.replaceAll("`", "") };
      return [{ params, content: content.replaceAll(/\]\((?!\w+:|#)/g, "](../") }];
    });
}

/** The words of a message, such as `port-is-in-use`. */
const fileNameOf = (heading: string): string =>
  (heading.toLowerCase().match(/[a-z0-9]+/g) ?? []).join("-").slice(0, LONGEST).replace(/-$/, "");
