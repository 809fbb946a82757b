import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

/** Renders Mermaid diagrams when the site is built. The colors follow the theme that the reader has chosen. */
export const diagrams = (markdown: MarkdownRenderer): void => {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() !== "mermaid") return fence?.(tokens, index, options, env, self) ?? "";
    const title = /^%% (.*)$/m.exec(token.content)?.[1];
    if (!title) throw new Error(`${env.relativePath}: a diagram needs a first line "%% what it shows"`);
    const id = `arrow-${index}`;
    const svg = renderMermaidSVG(token.content.replace(/^%%.*\n/gm, ""), {
      bg: "var(--vp-c-bg)",
      fg: "var(--vp-c-text-1)",
      padding: 8,
      transparent: true,
    })
      .replace(/<style>[\s\S]*?<\/style>/, "") // Inline styles are not allowed on the pages, so they are replaced by classes in theme/style.css.
      .replaceAll("arrowhead", id)
      .replace("<svg ", `<svg role="img" aria-label="${markdown.utils.escapeHtml(title)}" `);
    return `<figure class="diagram" tabindex="0" v-pre>${svg}</figure>\n`;
  };
};
