/** A fenced block, with the name of the file that it is to be, where the line before it names one. */
export interface Block {
  line: number;
  language: string;
  text: string;
  file?: string | undefined;
}

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = "", 2: text = "" }) => {
    const before = markdown.slice(0, index).trimEnd();
    return { line: before.split("\n").length + 2, language, text, file: /`([\w./-]+)`:$/.exec(before)?.[1] };
  });
