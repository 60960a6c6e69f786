import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import {
  metadataKeys,
  methodAnnotations,
  otherAnnotations,
} from "../../2-check/notation/notation.js";
import { collectNodes } from "../../2-check/program/nodes.js";
import type { Finding } from "../../2-check/report/finding.js";
import {
  suggestAnnotation,
  suggestKey,
} from "../../2-check/report/did-you-mean.js";
import { rememberEach } from "../../ir/remember.js";
import type { LintRules } from "./rule.js";

/** Rules about annotations and metadata keys. */
export const wordRules = {
  // Each word is reported once, because it can be part of every method. Words
  // that resemble one of ridlkit's are reported by checks.
  "unknown-word": (program, { words = [] }) => {
    const found = new Map<string, Finding>();
    const counts = new Map<string, number>();
    for (const document of program.documents) {
      for (const { word, isKey } of otherWordsIn(document)) {
        const { text } = word;
        const name = isKey ? `+ ${text}` : `@${text}`;
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        if (count > 0 || words.includes(text)) continue;
        const meant = isKey
          ? suggestKey(text)
          : suggestAnnotation(text, program);
        if (meant.help !== undefined) continue;
        found.set(name, {
          document,
          at: word,
          message: `${isKey ? "metadata key" : "annotation"} \`${isKey ? text : name}\` is unknown and has no effect`,
          help: `if another tool reads it, add \`${text}\` to \`lint.words\` in the configuration, or use a name with a dot, such as \`${isKey ? "+ " : "@"}my.${text}\``,
        });
      }
    }
    return [...found].map(([name, finding]) => {
      const others = (counts.get(name) ?? 1) - 1;
      const notes = [
        `it is used in ${others} more place${others === 1 ? "" : "s"}`,
      ];
      return { ...finding, ...(others > 0 && { notes }) };
    });
  },
} satisfies LintRules;

/** A word that ridlkit does not define. */
interface OtherWord {
  readonly word: Word;
  readonly isKey: boolean;
}

/**
 * Lists the annotations and metadata keys that ridlkit does not define. Words
 * with a dot always belong to other tools.
 */
const otherWordsIn = rememberEach(
  (document: LoadedDocument): readonly OtherWord[] => {
    const nodes = collectNodes([document]);
    const annotated = [
      ...nodes.aliases,
      ...nodes.enums,
      ...nodes.errors,
      ...nodes.fields,
      ...nodes.methods,
      ...nodes.services,
      ...nodes.structs,
    ];
    const isOther = ({ text }: Word, known: ReadonlySet<string>): boolean =>
      !known.has(text) && !text.includes(".");
    return [
      ...nodes.metadata
        .filter(({ syntax }) => isOther(syntax.key, keys))
        .map(({ syntax }) => ({ word: syntax.key, isKey: true })),
      ...annotated.flatMap(({ syntax }) =>
        syntax.annotations
          .filter(({ name }) => isOther(name, annotations))
          .map(({ name }) => ({ word: name, isKey: false })),
      ),
    ];
  },
);

const keys: ReadonlySet<string> = new Set(metadataKeys.keys());

const annotations: ReadonlySet<string> = new Set([
  ...methodAnnotations,
  ...otherAnnotations,
]);
