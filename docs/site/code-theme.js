/** Colors of code, as in the playground: TextMate scopes by design token. */
const scopes = {
  keyword: ["keyword", "storage", "entity.name.decorator"],
  name: ["entity.name", "support.type", "support.class", "support.function"],
  string: ["string"],
  literal: ["constant"],
  ink: ["keyword.operator", "string.unquoted", "support.type.property-name"],
  quiet: ["comment", "punctuation.definition.comment"],
};

/** The theme of code blocks. It is the same for light and dark pages. */
export const codeTheme = {
  name: "ridlkit",
  type: "light",
  colors: {
    "editor.foreground": "var(--ink)",
    "editor.background": "var(--panel)",
  },
  tokenColors: Object.entries(scopes).map(([token, scope]) => ({
    scope,
    settings: { foreground: `var(--${token})` },
  })),
};
