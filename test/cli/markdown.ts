/** A fenced block of a page. If the line before it mentions a file, the block is the content of that file. */
export interface Block {
  line: number;
  language: string;
  text: string;
  file?: string | undefined;
}

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w+)(?: \[.*\])?\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = "", 2: text = "" }) => {
      const before = markdown.slice(0, index).trimEnd();
      return { line: before.split("\n").length + 2, language, text, file: /`([\w./-]+)`:$/.exec(before)?.[1] };
    },
  );
