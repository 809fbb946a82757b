import { blocksOf } from "./markdown";

/** A `cloudinfra`, `pulumi` or `make` command in a documentation page, for example `pulumi up --yes`. */
export interface Command {
  program: string;
  words: string[];
  text: string;
}

const started =
  /(?:^|[\s`|;&(])(?:npx )?(?<program>cloudinfra|pulumi|make) (?<rest>(?:'[^']*'|"[^"]*"|[^'"\n|;&`)])+)/g;

/** The commands in the Markdown text of a documentation page: in shell and YAML blocks, and in inline code. */
export function commandsOf(page: string): Command[] {
  const blocks = blocksOf(page);
  const inline = [...page.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)].flatMap(([, text = ""]) =>
    /^(npx cloudinfra|cloudinfra|pulumi|make) [a-z_]/.test(text) ? [text] : [],
  );
  const scripts = blocks.filter(({ language }) => language === "sh" || language === "yaml").map(({ text }) => text);
  return [...scripts, ...inline].flatMap((text) =>
    [...text.replaceAll("\\\n", " ").matchAll(started)].map(({ groups: { program = "", rest = "" } = {} }) => ({
      program,
      words: rest.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [],
      text: `${program} ${rest}`.trim(),
    })),
  );
}
