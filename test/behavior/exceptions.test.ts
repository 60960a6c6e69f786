import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { markdownTable } from "../../generator/4-emit/templates/markdown-text.js";

type Reasons = Readonly<Record<string, string>>;

const languages = {
  python: "Python",
  go: "Go",
  rust: "Rust",
  kotlin: "Kotlin",
};

function rowsOf(folder: string, name: string): readonly string[][] {
  const lists = JSON.parse(
    readFileSync(`test/behavior/${folder}/exceptions.json`, "utf8"),
  ) as Readonly<Record<string, Reasons>>;
  const byReason = new Map<string, string[]>();
  for (const [list, reasons] of Object.entries(lists)) {
    for (const [title, reason] of Object.entries(reasons)) {
      const what = list === "needs" ? `that need ${title}` : `\`${title}\``;
      byReason.set(reason, [...(byReason.get(reason) ?? []), what]);
    }
  }
  return Array.from(byReason, ([reason, cases]) => [
    name,
    cases.join(", "),
    reason,
  ]);
}

test("docs/languages.md lists the exceptions of all languages", async () => {
  const folders = readdirSync("test/behavior").filter((name) =>
    existsSync(`test/behavior/${name}/exceptions.json`),
  );
  expect(folders.sort()).toEqual(Object.keys(languages).sort());
  const rows = Object.entries(languages).flatMap(([folder, name]) =>
    rowsOf(folder, name),
  );
  const table = markdownTable(["language", "cases", "reason"], rows);
  const page = readFileSync("docs/languages.md", "utf8").replace(
    /(?<=with these exceptions:\n\n)(?:\|.*\n)+/u,
    () => `${table}\n`,
  );
  expect(page).toContain(table);
  await expect(page).toMatchFileSnapshot("../../docs/languages.md");
});
