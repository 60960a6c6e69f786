/**
 * Every diagnostic code with one line that says what it is about. The page of
 * a code is `docs/diagnostics/<code>.md`. Each stage has its own section.
 */

/** Found while a RIDL document is read. */
const parseCodes = {
  "byte-order-mark": "a file begins with a byte order mark",
  "dangling-annotation": "an annotation belongs to nothing",
  "deep-nesting": "lists and maps stand too deeply within each other",
  "error-separator": "names of errors are not separated by ` | `",
  "line-break": "an argument list does not stand on one line",
  "misplaced-metadata": "`+ key = value` stands where it has no meaning",
  "missing-name": "a name is missing",
  "missing-type": "a type is missing",
  "missing-value": "a value is missing",
  "not-portable": "ridlkit reads this, webrpc's own parser does not",
  "nul-character": "a file is not read after a NUL character",
  "renamed-keyword": "a keyword has another name now",
  "reserved-name": "a name is a modifier of the language",
  "trailing-text": "a word at the end of a method has no meaning",
  "unclosed-bracket": "a bracket is not opened or not closed",
  "unclosed-string": "a string does not end on its line",
  "unexpected-token": "something stands where it cannot",
  "unknown-escape": "a string has an unknown escape",
  "unknown-keyword": "a line begins with a word that is no keyword",
  "unquoted-value": "a value needs quotes",
} as const;

/** Found while the JSON or YAML form of a schema is read. */
const formCodes = {
  "invalid-form": "the JSON or YAML form of a schema has the wrong shape",
  "invalid-yaml": "a JSON or YAML document cannot be read",
  "unknown-key": "a key of the JSON or YAML form is not known",
} as const;

/** Found while the documents are checked together: names, types, rules. */
const checkCodes = {} as const;

/** All codes; the keys are what `Diagnostic.code` may be. */
export const catalogue: Readonly<Record<string, string>> = {
  ...parseCodes,
  ...formCodes,
  ...checkCodes,
};

/** A code that is found while a document is read. */
export type ParseCode = keyof typeof parseCodes | keyof typeof formCodes;
