import { effect, signal } from "@preact/signals";

/** `auto` follows the system. */
export const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const stored = (): Theme => {
  try {
    return themes.find((name) => name === localStorage.getItem("theme")) ?? "auto";
  } catch {
    // A browser may forbid storage. The theme then follows the system.
    return "auto";
  }
};

export const theme = signal<Theme>(stored());

export const nextTheme = (): void => {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "auto";
};

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  try {
    localStorage.setItem("theme", theme.value);
  } catch {
    // See above.
  }
});
