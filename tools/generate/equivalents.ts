import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kebab } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { type KindName, kinds } from "../../provider/resources";
import type { Files } from "./mark";

const pages = { "docs/from-terraform.md": "terraform", "docs/from-pulumi-linode.md": "pulumi" } as const;

/** The table of kinds on the pages about moving from other providers, whose other text is written by hand. */
export function equivalentsFiles(root: string): Files {
  return Object.fromEntries(
    Object.entries(pages).flatMap(([page, provider]) => {
      const file = join(root, page);
      if (!existsSync(file)) return [];
      const table = /(?<=^\| Here \| .* \| Differences \|\n\| --- \| --- \| --- \|\n)(?:\| .*\n)*/m;
      const text = readFileSync(file, "utf8");
      if (!table.test(text))
        throw new Error(`${page} has no table of kinds, which starts with "| Here | … | Differences |"`);
      const rows = (Object.keys(kinds) as KindName[]).sort().map((kind) => rowOf(kind, provider));
      return [[page, text.replace(table, () => rows.join(""))]];
    }),
  );
}

function rowOf(kind: KindName, provider: "terraform" | "pulumi"): string {
  const { note = "", ...names } = (kinds[kind] as Kind).elsewhere ?? {};
  const name = names[provider];
  const remark = typeof note === "string" ? note : note[provider];
  return `| [\`${kind}\`](resources/${kebab(kind)}.md) | ${name ? `\`${name}\`` : "–"} | ${remark} |\n`;
}
