import type { MarkdownRenderer } from "vitepress";

/**
 * Shows the code between two comments as tabs. The pages contain comments instead of VitePress's own marks, because
 * forges would show those as text. The tabs have numbers as ids, because VitePress's random ids would give the files of
 * the site other names in each build.
 */
export const codeGroups = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.before("normalize", "code-groups", (state) => {
    state.src = state.src
      .replaceAll("<!-- code-group -->", "::: code-group")
      .replaceAll("<!-- end of code-group -->", ":::");
  });
  const rule = "container_code-group_open";
  const open = markdown.renderer.rules[rule];
  if (!open) throw new Error(`VitePress has no rule ${rule}`);
  markdown.renderer.rules[rule] = (tokens, at, ...rest) =>
    open(tokens, at, ...rest)
      .replace(/(?<=name="group-)[\w-]+/g, String(at))
      .replace(/(?<=(?:id|for)="tab-)[\w-]+/g, tabNumbers(at));
};

/** Replaces the random id of each tab by the same number wherever it appears. */
function tabNumbers(group: number): (id: string) => string {
  const ids: string[] = [];
  return (id) => {
    if (!ids.includes(id)) ids.push(id);
    return `${group}-${ids.indexOf(id) + 1}`;
  };
}
