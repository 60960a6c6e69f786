import { editDistance } from "../../generator/diagnostics/suggest.js";
import { wordsOf } from "../../generator/4-emit/names/casing.js";
import type { MethodTool } from "./method-tool.js";

/** How much a word says about a method, by where it is. */
const weights = { name: 3, title: 4, description: 1, field: 1 };

/** How much a match counts if the words are not the same. */
const similarities = { synonym: 0.5, misspelling: 0.6 };

/** Words of questions that say nothing about a method. */
const ignored = new Set(
  "a all an and any by can do for from how i in into is it me my of on or please that the this to what which with".split(
    " ",
  ),
);

/** Words that contracts and agents use for the same thing. */
const synonyms = [
  "get fetch find load lookup read retrieve show view check",
  "list get browse enumerate search query find",
  "add create insert make new open register start",
  "delete cancel clear destroy drop remove revoke stop unsubscribe",
  "change edit modify patch rename replace set update",
  "post publish push send submit",
  "add stream subscribe watch",
  "batch bulk many multiple several",
].map((words) => new Set(words.split(" ")));

/** Agents write short queries. The rest of a long one is ignored. */
const maxQueryWords = 30;

/** Finds methods by words. */
export class SearchIndex {
  readonly #tools: readonly MethodTool[];
  /** For each word, its weight in the methods that contain it. */
  readonly #methods = new Map<string, Map<MethodTool, number>>();

  constructor(tools: readonly MethodTool[]) {
    this.#tools = tools;
    for (const tool of tools) {
      for (const [text, weight] of textsOf(tool)) this.#add(tool, text, weight);
    }
  }

  /**
   * Returns the methods that match a query, best first. A query without words
   * matches all methods, in the order of the contract.
   *
   * The score of a method is the sum over the words of the query. Each word
   * counts as its best match in the method: its similarity, times the weight of
   * the part that contains it, times its rarity in the contract.
   */
  search(query: string): readonly MethodTool[] {
    const words = termsOf(query).slice(0, maxQueryWords);
    if (words.length === 0) return this.#tools;
    const scores = new Map<MethodTool, number>();
    for (const word of new Set(words)) {
      for (const [tool, score] of this.#match(word)) {
        scores.set(tool, (scores.get(tool) ?? 0) + score);
      }
    }
    // Of methods with the same score, the shortest name has the fewest words
    // that the query lacks.
    return [...scores]
      .sort(
        ([a, scoreA], [b, scoreB]) =>
          scoreB - scoreA || lengthOf(a) - lengthOf(b),
      )
      .map(([tool]) => tool);
  }

  #add(tool: MethodTool, text: string, weight: number): void {
    for (const term of termsOf(text)) {
      const methods = this.#methods.get(term) ?? new Map<MethodTool, number>();
      this.#methods.set(term, methods);
      methods.set(tool, Math.max(weight, methods.get(tool) ?? 0));
    }
  }

  /** Returns the score of a word for each method that it matches. */
  #match(word: string): ReadonlyMap<MethodTool, number> {
    const scores = new Map<MethodTool, number>();
    // A word of the contract is not misspelled.
    const mayBeMisspelled = word.length > 4 && !this.#methods.has(word);
    for (const [term, methods] of this.#methods) {
      const similarity = mayBeMisspelled
        ? compare(word, term) || compareSpelling(word, term)
        : compare(word, term);
      if (similarity === 0) continue;
      const rarity = Math.log(1 + this.#tools.length / methods.size);
      for (const [tool, weight] of methods) {
        const score = similarity * weight * rarity;
        scores.set(tool, Math.max(score, scores.get(tool) ?? 0));
      }
    }
    return scores;
  }
}

/** Returns the texts of a method and the weight of their words. */
function textsOf({
  definition,
}: MethodTool): readonly (readonly [string, number])[] {
  const { description = "", inputSchema, name, title = "" } = definition;
  const fields = Object.keys(Object(inputSchema.properties));
  return [
    [name, weights.name],
    [title, weights.title],
    [description, weights.description],
    ...fields.map((field) => [field, weights.field] as const),
  ];
}

function lengthOf({ definition }: MethodTool): number {
  return definition.name.length;
}

/** Returns the lowercase words of a text or of a name. */
function termsOf(text: string): readonly string[] {
  return wordsOf(text)
    .map((word) => word.toLowerCase())
    .filter((word) => !ignored.has(word));
}

/** Returns how similar the meanings of two words are, from 0 to 1. */
function compare(word: string, term: string): number {
  if (word === term) return 1;
  const isSynonym = synonyms.some(
    (group) => group.has(word) && group.has(term),
  );
  return isSynonym ? similarities.synonym : compareForms(word, term);
}

/** Returns how similar a misspelled word is to another word, from 0 to 1. */
function compareSpelling(word: string, term: string): number {
  const isSimilar =
    Math.abs(word.length - term.length) < 2 && editDistance(word, term) === 1;
  return isSimilar ? similarities.misspelling : 0;
}

/**
 * Compares forms of a word, such as `policy` and `policies`: returns the share
 * of their common beginning, or 0 if too little is common.
 */
function compareForms(word: string, term: string): number {
  const shorter = Math.min(word.length, term.length);
  const longer = Math.max(word.length, term.length);
  let common = 0;
  while (common < shorter && word[common] === term[common]) common += 1;
  const isForm =
    common === shorter ? common > 2 : common > 3 && common === shorter - 1;
  const share = common / longer;
  return isForm && share >= 0.4 ? share : 0;
}
