import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

export const REPOSITORY = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra";
const inRepository = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/([^#]*)(#.*)?$`);

/** Pages of the site that include a file from outside of docs/, with the path of that file: `CONTRIBUTING.md`. */
export const includedIn = (root: string): Record<string, string> =>
  Object.fromEntries(
    globSync("docs/{,examples/}*.md", { cwd: root }).flatMap((page) => {
      const [, file] = /^<!--@include: (\S+)-->$/m.exec(readFileSync(join(root, page), "utf8")) ?? [];
      return file ? [[posix.relative("docs", page), posix.join(dirname(page), file)]] : [];
    }),
  );

/**
 * Converts links. Pages are also read in the repository and in the package, where links point to files. On the site, a
 * link to a page points to that page, and a link to any other file points to the repository.
 */
export const links = (root: string) => (markdown: MarkdownRenderer) => {
  const included = includedIn(root);
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const page: string = env.relativePath;
    const file = included[page] ?? `docs/${page}`;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "link_open")
        token.attrSet("href", target(root, included, page, file, String(token.attrGet("href"))));
      if (token.type === "image" && page in included) {
        const picture = posix.join(dirname(file), String(token.attrGet("src")));
        token.attrSet("src", posix.relative(posix.join("docs", dirname(page)), picture));
      }
    }
  });
};

function target(root: string, included: Record<string, string>, page: string, file: string, href: string): string {
  if (href.startsWith("#")) return href;
  const [, absolute, absoluteHash = ""] = inRepository.exec(href) ?? [];
  if (absolute === undefined && /^[a-z]+:/.test(href)) return href;
  const [path = "", hash] = href.split("#");
  const found = absolute ?? posix.normalize(posix.join(dirname(file), path));
  const suffix = absolute === undefined ? (hash ? `#${hash}` : "") : absoluteHash;
  const onSite = pageOf(root, included, found.replace(/\/$/, ""));
  return onSite
    ? `${posix.relative(dirname(page), onSite) || posix.basename(onSite)}${suffix}`
    : `${REPOSITORY}/blob/main/${found}${suffix}`;
}

/** The page of a file or folder, as a path relative to docs/. */
function pageOf(root: string, included: Record<string, string>, file: string): string | undefined {
  const [created] = Object.entries(included).find(([, source]) => source === file) ?? [];
  if (created) return created;
  // docs/README.md is for readers of the repository: the site begins with docs/index.md.
  if (!file.startsWith("docs/") || file === "docs/README.md") return undefined;
  const page = file.slice("docs/".length);
  if (page.endsWith(".md")) return page.replace(/(^|\/)README\.md$/, "$1index.md");
  return ["README.md", "index.md"].some((name) => existsSync(join(root, file, name))) ? `${page}/index.md` : undefined;
}
