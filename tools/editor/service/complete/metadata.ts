import type {
  AliasDeclaration,
  Field,
  Item,
} from "../../../../generator/1-parse/ast.js";
import {
  jsonNameOf,
  variantsOf,
} from "../../../../generator/2-check/notation/metadata.js";
import { errorRoles } from "../../../../generator/ir/errors-of.js";
import { metadataKeys } from "../../../../generator/2-check/notation/notation.js";
import { wireValuesOf } from "../../../../generator/2-check/notation/wire-values.js";
import {
  type ResolvedType,
  resolveType,
  takesLimits,
} from "../../../../generator/2-check/program/resolve-type.js";
import { structFieldsOf } from "../../../../generator/2-check/program/variants.js";
import { keyDocs } from "../hover/language-docs.js";
import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import { completeErrors } from "./errors.js";
import type { CompletionScope } from "./line-context.js";
import { spanBefore, type LineContext } from "./line-context.js";

/**
 * Completes the built-in keys that the declaration above can have and does not
 * have yet.
 */
export function completeMetadataKey(
  line: LineContext,
  { program }: CompletionScope,
): readonly Completion[] {
  const { document, offset } = line;
  const span = spanBefore(line, /[\w.]*$/);
  const owner = ownerAbove(line);
  if (owner === null) return [];
  const type = resolveType(program, document, owner.type);
  const others = owner.metadata.filter(({ key }) => key.span.end !== offset);
  const taken = new Set(
    others.flatMap(({ key }) => (key.text === "oneOf" ? [] : key.text)),
  );
  return [...metadataKeys]
    .filter(([key, { limits, on }]) => {
      const applies = !limits || !type || takesLimits(type, limits);
      return applies && on.includes(owner.kind) && !taken.has(key);
    })
    .map(([key]) =>
      createCompletion(key, "metadata-key", span, {
        text: `${key} = $0`,
        docs: keyDocs(key) ?? "",
      }),
    );
}

/** Returns the field or alias above a position, or null. */
function ownerAbove({
  document,
  offset,
}: LineContext): AliasDeclaration | Field | null {
  const above = document.syntax.items
    .flatMap((item): readonly (Field | Item)[] =>
      item.kind === "struct" ? item.fields : [item],
    )
    .findLast((each) => each.span.start < offset);
  return above?.kind === "field" || above?.kind === "alias" ? above : null;
}

/** Completes the value of a key that has only a few possible values. */
export function completeMetadataValue(
  line: LineContext,
  surroundings: CompletionScope,
): readonly Completion[] {
  const [, key = ""] = /\+\s*([\w.]+)\s*=/.exec(line.before) ?? [];
  const span = spanBefore(line, /[^\s="]*$/);
  const values = (texts: readonly string[]): readonly Completion[] =>
    texts.map((text) => createCompletion(text, "value", span));
  if (metadataKeys.get(key)?.form === "flag") return values(["true", "false"]);
  switch (key) {
    case "accept":
      return values(["integer"]);
    case "dataOf":
      return ownErrors(line, surroundings).map((name) =>
        createCompletion(name, "error", spanBefore(line, /\w*$/)),
      );
    case "enum":
      return completeListedValue(line, surroundings);
    case "error":
      return ownerAbove(line)?.kind === "field"
        ? values(errorRoles)
        : completeErrors(line, surroundings);
    case "errorBody":
      return values(["application/json", "application/problem+json"]);
    case "format":
      return values(["uri"]);
    case "tag":
      return values(tagNames(line, surroundings));
    case "known":
      return values(stringEnums(line, surroundings));
    default:
      return [];
  }
}

/**
 * Returns the fields that can be the tag: those beside a field, or those that
 * all variants of a `type` have.
 */
function tagNames(
  { document, offset }: LineContext,
  { program }: CompletionScope,
): readonly string[] {
  const item = document.syntax.items.findLast(
    ({ span }) => span.start < offset,
  );
  if (item?.kind === "struct") {
    const own = item.fields.findLast(({ span }) => span.start < offset);
    return item.fields.flatMap((each) => (each === own ? [] : each.name.text));
  }
  if (item?.kind !== "alias") return [];
  const [first = [], ...others] = variantsOf(item).map(({ type }) => {
    const resolved = resolveType(program, document, type);
    const fields = resolved === null ? [] : structFieldsOf(resolved);
    return fields.flatMap((field) => jsonNameOf(field) ?? []);
  });
  return first.filter((name) => others.every((each) => each.includes(name)));
}

/** Returns the errors that a document declares itself. */
function ownErrors(
  { document }: LineContext,
  { program }: CompletionScope,
): readonly string[] {
  const errors = program.scopes.get(document.path)?.own.errors ?? [];
  return errors.map(({ syntax }) => syntax.name.text);
}

/** Completes the last value of a list with a value of an enum or a boolean. */
function completeListedValue(
  line: LineContext,
  { program }: CompletionScope,
): readonly Completion[] {
  const owner = ownerAbove(line);
  const type = owner && resolveType(program, line.document, owner.type);
  const span = spanBefore(line, /[^\s="|]*$/);
  const [, listed = ""] = /=\s*"?(.*)\|/.exec(line.before) ?? [];
  const taken = listed.split("|").map((each) => each.trim());
  return (type ? textsOf(type) : [])
    .filter((text) => /^[^\s"'|]+$/u.test(text) && !taken.includes(text))
    .map((text) => createCompletion(text, "value", span));
}

function textsOf(type: ResolvedType): readonly string[] {
  switch (type.kind) {
    case "scalar":
      return type.name === "bool" ? ["true", "false"] : [];
    case "enum": {
      const { syntax } = type.declared;
      return syntax.kind === "enum" ? wireValuesOf(syntax) : [];
    }
    case "list":
    case "map":
    case "struct":
    case "union":
      return [];
  }
}

function stringEnums(
  { document }: LineContext,
  { program }: CompletionScope,
): readonly string[] {
  const types = program.scopes.get(document.path)?.types ?? [];
  return types.flatMap(({ syntax }) =>
    syntax.kind === "enum" && syntax.base.text === "string"
      ? syntax.name.text
      : [],
  );
}
