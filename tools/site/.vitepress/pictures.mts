import type { MarkdownRenderer } from "vitepress";

/**
 * Shows pictures in the theme that the reader has chosen. The pages contain the light picture, which forges show; the
 * dark one is next to it. A wide picture of a terminal scrolls on a narrow screen, where its text would be too small.
 */
export const pictures = (markdown: MarkdownRenderer): void => {
  const { image } = markdown.renderer.rules;
  markdown.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const light = String(token?.attrGet("src"));
    const [, name, format] = /^(.*)-light\.(svg|png)$/.exec(light) ?? [];
    if (!name || !token) return image?.(tokens, index, options, env, self) ?? "";
    const text = markdown.utils.escapeHtml(token.content);
    const one = (theme: string): string =>
      `<img class="${theme}-only" src="${name}-${theme}.${format}" alt="${text}" loading="lazy">`;
    return `<span class="picture ${format}" tabindex="0" role="group" aria-label="Picture">${one("light")}${one("dark")}</span>`;
  };
};
