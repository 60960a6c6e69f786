import type { Constraints } from "../../ir/contract.js";
import { isFormat } from "../../ir/text-rule.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findMetadata, metadataValue } from "../notation/metadata.js";
import { parseCount, parseFlag, parseNumber } from "../notation/numbers.js";
import { readAllowedValues } from "./allowed-values.js";
import type { Declared, Program, TypeOwner } from "./program.js";
import { aliasesOf, resolveType } from "./resolve-type.js";

type Reader = (text: string) => Constraints[keyof Constraints] | null;

/**
 * The function that reads each limit's value. It returns null if the limit does
 * not apply.
 */
const readers: readonly (readonly [keyof Constraints, Reader])[] = [
  ["minimum", parseNumber],
  ["maximum", parseNumber],
  ["minLength", parseCount],
  ["maxLength", parseCount],
  ["pattern", (text) => text],
  ["format", (text) => (isFormat(text) ? text : null)],
  ["minItems", parseCount],
  ["maxItems", parseCount],
  ["uniqueItems", (text) => parseFlag(text) || null],
  ["minProperties", parseCount],
  ["maxProperties", parseCount],
  ["example", (text) => text],
];

/** The constraints of all declarations without limits. Most have none. */
const unlimited: Constraints = {};

/** Reads the limits from the metadata and ignores other keys. */
export function readConstraints(
  program: Pick<Program, "scopes">,
  document: LoadedDocument,
  owner: TypeOwner,
): Constraints {
  if (owner.metadata.length === 0) return unlimited;
  const limits: [keyof Constraints, Constraints[keyof Constraints]][] = [];
  const list = findMetadata(owner, "enum");
  if (list !== undefined) {
    const type = resolveType(program, document, owner.type);
    const values = type && readAllowedValues(type, list.value.text);
    if (values !== null) limits.push(["enum", values]);
  }
  for (const [key, read] of readers) {
    const text = metadataValue(owner, key);
    const value = text === undefined ? null : read(text);
    if (value !== null) limits.push([key, value]);
  }
  return Object.fromEntries(limits);
}

/**
 * Returns the limits of a declaration and of the aliases that its type refers
 * to, nearest first.
 */
export function limitsOf(
  program: Pick<Program, "scopes">,
  { document, syntax }: Declared<TypeOwner>,
): readonly Constraints[] {
  const aliases = aliasesOf(program, document, syntax.type);
  return [{ document, syntax }, ...aliases].map((owner) =>
    readConstraints(program, owner.document, owner.syntax),
  );
}
