import { h } from "./element.js";

/** Color themes. `auto` follows the system. */
const themes = ["auto", "light", "dark"] as const;

const names = { auto: "Automatic", light: "Light", dark: "Dark" };

const key = "ridl-explorer-theme";

/** Shows a choice of themes, which the browser remembers. */
export function themeView(): HTMLElement {
  const select = h(
    "select",
    {
      "aria-label": "Color theme",
      onchange: () => {
        apply(select.value);
        remember(select.value);
      },
    },
    themes.map((theme) => h("option", { value: theme }, names[theme])),
  );
  select.value = remembered();
  apply(select.value);
  return select;
}

function apply(theme: string): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

function remembered(): string {
  try {
    const theme = localStorage.getItem(key);
    return themes.find((each) => each === theme) ?? "auto";
  } catch {
    return "auto";
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The choice only applies to this page.
  }
}
