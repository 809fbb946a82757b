import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run";
import type { Theme } from "./terminal";

/** The colors of drawings by the variable in their source. */
const colors: Record<Theme, Readonly<Record<string, string>>> = {
  light: {
    page: "#ffffff",
    box: "#f6f7f9",
    accent: "#eef1fc",
    line: "#c9d0d8",
    strong: "#3451b2",
    arrow: "#5a6572",
    text: "#1f2328",
    soft: "#4b5563",
  },
  dark: {
    page: "#1b1b1f",
    box: "#24262d",
    accent: "#262b44",
    line: "#444b56",
    strong: "#a8b1ff",
    arrow: "#a2acb8",
    text: "#eceef2",
    soft: "#b6bec9",
  },
};

/** A hand-made drawing in this folder, in the colors of a theme. */
export const drawing = (name: string, theme: Theme): string =>
  readFileSync(join(root, `tools/pictures/${name}.svg`), "utf8").replace(/var\(--([a-z]+)\)/g, (all, color: string) => {
    const value = colors[theme][color];
    if (!value) throw new Error(`tools/pictures/${name}.svg: ${all} is not a color`);
    return value;
  });
