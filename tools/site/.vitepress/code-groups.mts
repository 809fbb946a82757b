import type { MarkdownRenderer } from "vitepress";

/**
 * Shows the code between two comments as tabs. The pages contain comments instead of VitePress's own marks, because
 * forges would show those as text.
 */
export const codeGroups = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.before("normalize", "code-groups", (state) => {
    state.src = state.src
      .replaceAll("<!-- code-group -->", "::: code-group")
      .replaceAll("<!-- end of code-group -->", ":::");
  });
};
