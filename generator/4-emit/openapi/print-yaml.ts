import { Document, Scalar, visit } from "yaml";
import type { JsonObject } from "../emitter/json-value.js";
import { invisible, toWellFormed } from "../emitter/invisible.js";

/**
 * Prints a value as YAML that every parser reads the same, those of YAML 1.1
 * included: only text that looks like a sentence or a name has no quotes.
 *
 * Output: text without invisible characters.
 */
export function printYaml(value: JsonObject, comment: string): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    keepUndefined: false,
  });
  document.commentBefore = ` ${escape(toWellFormed(comment).replace(/\n/gu, " "))}`;
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      const text = toWellFormed(node.value);
      node.value = text;
      node.type = styleOf(text);
    },
  });
  const text = document.toString({ lineWidth: 0 });
  // All of them are within double quotes, where YAML has such escapes.
  return text.split("\n").map(escape).join("\n");
}

type Style = NonNullable<Scalar["type"]>;

/** Words that YAML 1.1 reads as something else than text. */
const words = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/iu;

function styleOf(text: string): Style {
  const isVisible = text.split("\n").every((line) => !hasInvisible(line));
  if (!isVisible) return Scalar.QUOTE_DOUBLE;
  if (/\n(?!$)/u.test(text) && !/^\s/u.test(text)) return Scalar.BLOCK_LITERAL;
  return /^[A-Za-z/$][\w ,.;'()/{}#$-]*$/u.test(text) && !words.test(text)
    ? Scalar.PLAIN
    : Scalar.QUOTE_DOUBLE;
}

function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1;
}

function escape(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    return code > 0xffff
      ? `\\U${digits.padStart(8, "0")}`
      : `\\u${digits.padStart(4, "0")}`;
  });
}
