import type { Theme } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import Start from "./Start.vue";
import "./style.css";

export default {
  extends: theme,
  enhanceApp: ({ app }) => void app.component("start", Start),
} satisfies Theme;
