import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseRidl } from "../../generator/1-parse/document.js";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";

const folder = join(import.meta.dirname, "../../apps/editors/vscode");
const readJson = (path: string) =>
  JSON.parse(readFileSync(join(folder, path), "utf8"));

const manifest = readJson("package.json");

describe("snippets", () => {
  const snippets: [string, { body: string[] }][] = Object.entries(
    readJson("snippets/ridl.json"),
  );
  const members: Readonly<Record<string, string>> = {
    Field: "struct A",
    Method: "service A",
    Stream: "service A",
  };

  test.each(snippets)("%s is valid RIDL", (name, { body }) => {
    const text = body
      .join("\n")
      .replace(/\$\{\d+:([^}]*)\}/gu, "$1")
      .replace(/\$\{\d+\|([^,|}]*)[^}]*\}/gu, "$1")
      .replace(/\$\d/gu, "");
    const { diagnostics, value } = parseRidl({
      path: "a.ridl",
      text: `${members[name] ?? ""}\n${text}`,
    });
    expect(diagnostics).toEqual([]);
    expect(value.items.length).toBeGreaterThan(0);
  });
});

test("the problem matcher parses the output of ridl check", () => {
  const source = { path: "schema/a.ridl", text: "a\nb\n  cd\n" };
  const printed = renderDiagnostics(
    [
      {
        code: "unknown-type",
        severity: "error",
        message: "type `cd` is not declared",
        location: { source, span: { start: 6, end: 8 } },
      },
    ],
    { color: false },
  ).split("\n");
  const [{ pattern }] = manifest.contributes.problemMatchers;
  const groups = pattern.map(({ regexp }: { regexp: string }, line: number) =>
    new RegExp(regexp, "u").exec(printed[line] ?? "")?.slice(1),
  );
  expect(groups).toEqual([
    ["error", "unknown-type", "type `cd` is not declared"],
    ["schema/a.ridl", "3", "3"],
  ]);
});

test("a task does not repeat the language server's diagnostics", () => {
  // The server reports open documents, and updates its reports while you type.
  const [{ applyTo }] = manifest.contributes.problemMatchers;
  expect(applyTo).toBe("closedDocuments");
});

describe("editor settings", () => {
  const settings = readJson("language-configuration.json");

  test("contain no bracket pair that is part of an arrow", () => {
    const { brackets } = settings;
    expect(brackets.length).toBeGreaterThan(0);
    expect(
      brackets.flat().filter((each: string) => "=>".includes(each)),
    ).toEqual([]);
  });

  test("close quotes within a value, which counts as a string even without quotes", () => {
    const pair = settings.autoClosingPairs.find(
      ({ open }: { open: string }) => open === '"',
    );
    expect(pair.notIn).toEqual(["comment"]);
  });

  test("select words without the period that ends a sentence", () => {
    const text = "# Sells it. See v1.0.0, ridl-ignore and common.ridl.";
    const words = text.match(new RegExp(settings.wordPattern, "gu"));
    expect(words).toEqual([
      ...["Sells", "it", "See", "v1.0.0", "ridl-ignore", "and", "common.ridl"],
    ]);
  });

  test.each([
    ["splits a comment into two", "# One ", "two.", "# "],
    ["ends a comment at its end", "# One two.", "", undefined],
    ["does not split a suppression", "#! ridl-ignore ", "a", undefined],
    ["indents the members of a struct", "struct Item", "", "indent"],
    ["indents the members of an import", "import", "", "indent"],
    ["does not indent after a field", "  - id: string", "", undefined],
  ])("Enter %s", (_, before, after, expected) => {
    const rule = settings.onEnterRules.find(
      ({ afterText = "", beforeText }: Record<string, string>) =>
        new RegExp(beforeText ?? "", "u").test(before) &&
        new RegExp(afterText, "u").test(after),
    );
    const { appendText, indent } = rule?.action ?? {};
    expect(appendText ?? indent).toBe(expected);
  });
});

test("the extension has the same version as the package", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(manifest.version).toBe(version);
});

test("the extension offers every command that it implements", () => {
  const code = readFileSync(join(folder, "src/extension.ts"), "utf8");
  const implemented = [...code.matchAll(/registerCommand\("([^"]+)"/gu)]
    .map(([, name]) => name)
    // The server calls this command.
    .filter((name) => name !== "ridl.showPlaces");
  const offered = manifest.contributes.commands.map(
    ({ command }: { command: string }) => command,
  );
  expect(implemented.sort()).toEqual(offered.sort());
});
