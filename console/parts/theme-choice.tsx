import { useState } from "react";

/** What the user can choose: the system's colors, or always light or dark. */
const themes = { system: "System", light: "Light", dark: "Dark" };

const key = "ridl-console-theme";

/** Applies the theme that the browser remembers. Call it before rendering. */
export function applyRememberedTheme(): void {
  applyTheme(rememberedTheme());
}

/** A choice of light or dark colors, remembered by the browser. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(rememberedTheme);
  return (
    <select
      aria-label="Colors"
      className="theme-choice"
      value={theme}
      onChange={({ target }) => {
        setTheme(target.value);
        applyTheme(target.value);
        rememberTheme(target.value);
      }}
    >
      {Object.entries(themes).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

function applyTheme(theme: string): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
}

// Storage can be turned off in a browser. The theme is then kept until reload.
function rememberedTheme(): string {
  try {
    const theme = localStorage.getItem(key) ?? "";
    return theme in themes ? theme : "system";
  } catch {
    return "system";
  }
}

function rememberTheme(theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    return;
  }
}
