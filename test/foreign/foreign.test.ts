import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import { checkTexts } from "../diagnostics/check-texts.js";

/**
 * Each folder contains what a user of TypeScript, Go, OpenAPI, GraphQL, or
 * Protocol Buffers might write first, and the errors that it causes.
 */
const root = import.meta.dirname;
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

const cases = readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);

describe.each(cases)("%s", (name) => {
  const folder = join(root, name);
  const documents = readdirSync(folder).filter((file) =>
    file.endsWith(".ridl"),
  );
  const texts = new Map(
    documents.map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
  const diagnostics = checkTexts(texts, ["input.ridl"]);

  test("is rejected, and each error has a help message", () => {
    expect(diagnostics.map(({ severity }) => severity)).toContain("error");
    for (const { help, message } of diagnostics) {
      expect(help, message).toBeDefined();
    }
  });

  test("is reported as expected", () => {
    const actual = `${renderDiagnostics(diagnostics, { color: false })}\n`;
    const path = join(folder, "expected.txt");
    if (isUpdating) writeFileSync(path, actual);
    expect(actual).toBe(readFileSync(path, "utf8"));
    expect(readdirSync(folder).sort()).toEqual(
      [...documents, "expected.txt"].sort(),
    );
  });
});
