import { useState } from "react";
import { remember, remembered } from "../api/remembered.js";

/** The themes to choose from. `system` uses the system's colors. */
const themes = { system: "System", light: "Light", dark: "Dark" };

const key = "ridl-console-theme";

/** Applies the remembered theme. It must be called before rendering. */
export function applyRememberedTheme(): void {
  applyTheme(rememberedTheme());
}

/** A choice of theme, which the browser remembers. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(rememberedTheme);
  return (
    <select
      aria-label="Theme"
      className="theme-choice"
      value={theme}
      onChange={({ target }) => {
        setTheme(target.value);
        applyTheme(target.value);
        remember(key, target.value);
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

function rememberedTheme(): string {
  const theme = remembered(key);
  return theme in themes ? theme : "system";
}
