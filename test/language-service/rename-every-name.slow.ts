import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { loadDocuments } from "../../generator/1-parse/load/load-documents.js";
import { mentionsOf } from "../../tools/editor/service/names/collect-mentions.js";
import { drawSome } from "../support/draw-some.js";
import { applyEdits } from "./support/apply-edits.js";
import { openMarked } from "./support/marked.js";

/** Contracts that together have every construct of the language. */
const contracts = [
  "../../runtime/cases/conformance.ridl",
  "../golden/fixtures/unions/schema.ridl",
  "../behavior/unions.ridl",
  "../behavior/rest.ridl",
  "../behavior/keys.ridl",
  "../behavior/failures.ridl",
  "../behavior/go/walls.ridl",
] as const;

/** The errors in a contract. Lint also looks at names, so it may differ. */
function errorsIn(texts: ReadonlyMap<string, string>): readonly string[] {
  const reader = { read: (path: string) => texts.get(path) ?? null };
  return compileContract(["a.ridl"], reader)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code, message }) => `${code}: ${message}`);
}

test.each(contracts)(
  "every name in %s can be renamed, or the reason is given",
  (file) => {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    const texts = new Map([["a.ridl", text]]);
    const document = loadDocuments(["a.ridl"], {
      read: (path) => texts.get(path) ?? null,
    }).get("a.ridl");
    if (!document) throw new Error("there is no document");
    const { service } = openMarked({ "a.ridl": text });
    const names = mentionsOf(document).filter(
      ({ span }) => service.prepareRename("a.ridl", span.start) !== null,
    );
    let renamed = 0;
    for (const mention of drawSome(names, 4)) {
      const isUpper = /^"?[A-Z]/u.test(mention.text);
      const name = isUpper ? "Zzz" : "zzz";
      const at = mention.span.start;
      const result = service.rename("a.ridl", at, name);
      const place = `${mention.text} at ${at}`;
      if (result.kind === "refused") {
        expect(result.message, place).toMatch(/is the tag of|JSON name/u);
        continue;
      }
      renamed += 1;
      expect(errorsIn(applyEdits(texts, result.edits)), place).toEqual([]);
    }
    expect(renamed).toBeGreaterThan(5);
  },
);
