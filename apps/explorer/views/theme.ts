import { h } from "./element.js";

/** Themes. `auto` follows the system. */
const themes = ["auto", "light", "dark"] as const;

const names = { auto: "System", light: "Light", dark: "Dark" };

/**
 * Shows a choice of themes. Input: the key under which the browser remembers it.
 */
export function themeView(key = "ridl-explorer-theme"): HTMLElement {
  const stored = remembered(key);
  const select = h(
    "select",
    {
      "aria-label": "Theme",
      onchange: () => {
        apply(select.value);
        remember(key, select.value);
      },
    },
    themes.map((theme) =>
      h("option", { value: theme, selected: theme === stored }, names[theme]),
    ),
  );
  apply(select.value);
  return select;
}

function apply(theme: string): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key: string, theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The choice only applies to this page.
  }
}
