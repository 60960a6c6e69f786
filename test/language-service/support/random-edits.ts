import { expect } from "vitest";
import { Random } from "../../support/random.js";
import { LanguageService } from "../../../tools/editor/service/language-service.js";
import { openMarked } from "./marked.js";
import { shop } from "./shop.js";

const pieces = [
  ...["\n", " ", "#", "@", "- ", "+ ", ":", "?", "(", ")", "[]", "map<", ">"],
  ...['"', "{", "=>", " errors ", "stream ", "struct B\n", "enum C: string\n"],
  ...["service D\n", "  - id: Item\n", "    + json = x\n", "type E: []E\n"],
  ...['import "api.ridl"\n', 'import "common.ridl"\n', "Color", "string", "é"],
];

/**
 * Randomly edits documents and sends queries. Compares the service, and one that
 * reads the documents, with a new one every `interval` steps.
 */
export function editAtRandom(
  seed: number,
  steps: number,
  interval: number,
): void {
  const random = new Random(seed);
  const { service, texts } = openMarked(shop);
  const current = new Map(texts);
  // Reads the same texts, but has no open documents.
  const reading = new LanguageService({
    reader: { read: (path) => current.get(path) ?? null },
    entries: [...texts.keys()],
  });
  for (let step = 1; step <= steps; step++) {
    const path = random.maybeOneOf([...current.keys()]) ?? "";
    const text = current.get(path) ?? "";
    const start = random.below(text.length + 1);
    const end = Math.min(
      text.length,
      start + (random.below(3) === 0 ? random.below(30) : 0),
    );
    const piece =
      random.below(4) === 0 ? "" : (random.maybeOneOf(pieces) ?? "");
    const edited = text.slice(0, start) + piece + text.slice(end);
    // Occasionally restores valid documents.
    const original = texts.get(path) ?? "";
    const next =
      random.below(25) === 0 || edited.length > 3000 ? original : edited;
    current.set(path, next);
    service.setDocument(path, next);
    reading.reloadDocument(path);
    reading.documentSymbols(path);
    const offset = random.below(next.length + 1);
    const span = { start: offset, end: offset };
    service.complete(path, offset);
    service.hover(path, offset);
    service.signatureHelp(path, offset);
    service.references(path, offset, true);
    service.rename(path, offset, "Renamed");
    service.selectionRanges(path, offset);
    service.codeActions(path, span);
    if (step % interval !== 0) continue;
    const fresh = openMarked(Object.fromEntries(current)).service;
    expect(service.diagnoseAll(), `seed ${seed}, step ${step}`).toEqual(
      fresh.diagnoseAll(),
    );
    expect(reading.diagnoseAll()).toEqual(fresh.diagnoseAll());
    for (const each of current.keys()) {
      expect(service.documentSymbols(each)).toEqual(
        fresh.documentSymbols(each),
      );
      expect(service.semanticTokens(each)).toEqual(fresh.semanticTokens(each));
      expect(service.codeLenses(each)).toEqual(fresh.codeLenses(each));
      expect(service.format(each)).toEqual(fresh.format(each));
    }
  }
}
