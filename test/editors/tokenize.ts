import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import type { Span } from "../../generator/source/source.js";

const path = join(
  import.meta.dirname,
  "../../apps/editors/vscode/syntaxes/ridl.tmLanguage.json",
);

/** A piece of text with the scopes that determine its color. */
export interface ScopedToken extends Span {
  /**
   * The scopes from the outermost to the innermost, without `source.ridl` and
   * `.ridl`.
   */
  readonly scopes: readonly string[];
}

/**
 * Loads the extension's grammar. Returns a function that applies the grammar to
 * text.
 */
export async function loadGrammar(): Promise<
  (text: string) => readonly ScopedToken[]
> {
  const wasm = createRequire(import.meta.url).resolve(
    "vscode-oniguruma/release/onig.wasm",
  );
  await oniguruma.loadWASM(readFileSync(wasm));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve(oniguruma),
    loadGrammar: () =>
      Promise.resolve(
        textmate.parseRawGrammar(readFileSync(path, "utf8"), path),
      ),
  });
  const grammar = await registry.loadGrammar("source.ridl");
  if (grammar === null) throw new Error("the grammar was not found");
  return (text) => tokenize(grammar, text);
}

function tokenize(grammar: textmate.IGrammar, text: string): ScopedToken[] {
  const tokens: ScopedToken[] = [];
  let stack = textmate.INITIAL;
  let offset = 0;
  for (const line of text.split("\n")) {
    const { tokens: found, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes } of found) {
      tokens.push({
        start: offset + startIndex,
        end: offset + Math.min(endIndex, line.length),
        scopes: scopes.slice(1).map((scope) => scope.replace(/\.ridl$/, "")),
      });
    }
    offset += line.length + 1;
  }
  return tokens;
}
