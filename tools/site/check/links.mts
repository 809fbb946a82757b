import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** Links of the built site whose page, file or heading does not exist. */
export function deadLinks(dist: string): string[] {
  const files = new Set(globSync("**/*", { cwd: dist }));
  const pages = new Map(
    globSync("**/*.html", { cwd: dist }).map((page) => [page, readFileSync(`${dist}/${page}`, "utf8")]),
  );
  const ids = new Map(
    [...pages].map(([page, html]) => [page, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id))]),
  );
  const dead: string[] = [];
  for (const [page, html] of pages)
    for (const [, link = ""] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|data:)/.test(link)) continue;
      const [path = "", hash] = link.replaceAll("&amp;", "&").split("#");
      const target = path === "" ? page : fileOf(posix.join(path.startsWith("/") ? "" : posix.dirname(page), path));
      const exists = files.has(target) && (!hash || ids.get(target)?.has(decodeURIComponent(hash)));
      if (!exists) dead.push(`${page}: ${link}`);
    }
  return dead;
}

const fileOf = (path: string): string => {
  const file = path.replace(/^\//, "");
  if (file === "" || file === ".") return "index.html";
  if (file.endsWith("/")) return `${file}index.html`;
  return posix.extname(file) ? file : `${file}.html`;
};
