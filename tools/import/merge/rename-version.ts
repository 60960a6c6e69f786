import type { Message, Method } from "../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../generator/1-parse/load/load-documents.js";
import { jsonNameOf } from "../../../generator/2-check/notation/metadata.js";
import { mentionsOf } from "../../editor/service/names/collect-mentions.js";
import type {
  Mention,
  NamedSyntax,
} from "../../editor/service/names/mention.js";
import type { Pairs } from "./match-versions.js";
import { partOf, type Version } from "./version.js";

/** The names of declarations after an update. */
export interface NewNames {
  readonly names: ReadonlyMap<NamedSyntax, string>;
  /** Names on the wire, which annotations contain. */
  readonly wires: ReadonlyMap<NamedSyntax, string>;
}

/**
 * Chooses the name of each declaration: the one that a person gave to it, or
 * else that of the document. Input: the pairs of the base with both others.
 */
export function chooseNames(current: Pairs, incoming: Pairs): NewNames {
  const names = new Map<NamedSyntax, string>();
  const wires = new Map<NamedSyntax, string>();
  for (const base of new Set([...current.keys(), ...incoming.keys()])) {
    const own = current.get(base);
    const other = incoming.get(base);
    const name = choose(base, own, other, ({ name: { text } }) => text);
    const wire = choose(base, own, other, wireOf);
    for (const syntax of [base, own, other]) {
      if (syntax === undefined) continue;
      names.set(syntax, name);
      wires.set(syntax, wire);
    }
  }
  return { names, wires };
}

function choose(
  base: NamedSyntax,
  current: NamedSyntax | undefined,
  incoming: NamedSyntax | undefined,
  textOf: (syntax: NamedSyntax) => string,
): string {
  const text = textOf(base);
  const own = current === undefined ? text : textOf(current);
  return own !== text || incoming === undefined ? own : textOf(incoming);
}

function wireOf(syntax: NamedSyntax): string {
  const isField = syntax.kind === "field" || syntax.kind === "argument";
  return (isField ? jsonNameOf(syntax) : null) ?? syntax.name.text;
}

/** Prints the documents of a version with new names. Returns texts by path. */
export function renameVersion(
  version: Version,
  names: NewNames,
): ReadonlyMap<string, string> {
  return new Map(
    version.documents.map((document) => [
      document.path,
      renameDocument(version, document, names),
    ]),
  );
}

function renameDocument(
  version: Version,
  document: LoadedDocument,
  names: NewNames,
): string {
  const { text } = document.syntax.source;
  let renamed = "";
  let end = 0;
  for (const mention of mentionsOf(document)) {
    const name = newNameOf(version, mention, names);
    if (name === null || name === mention.text) continue;
    const quote = text[mention.span.start] === '"' ? 1 : 0;
    const start = mention.span.start + quote;
    const isVerbatim = text.startsWith(mention.text, start);
    if (!isVerbatim || start < end) continue;
    const isShort = isShorthand(mention, text[start - 1]);
    renamed += text.slice(end, start);
    renamed += isShort ? `${mention.text}={${name}}` : name;
    end = start + mention.text.length;
  }
  return renamed + text.slice(end);
}

/**
 * Whether a name stands for the parameter or header with this name, and for its
 * field: `?status` means `?status={status}`.
 */
function isShorthand({ meaning, span, text }: Mention, before = ""): boolean {
  if (meaning.kind !== "request-field" && meaning.kind !== "body") return false;
  const { start } = span;
  const annotation = meaning.method.annotations.find(
    ({ value }) => value && value.span.start <= start && start < value.span.end,
  );
  if (annotation?.name.text === "resume") return false;
  const { name, value } = annotation ?? {};
  const isWhole =
    value?.text === text &&
    value.span.start === start &&
    !/Headers$/u.test(name?.text ?? "");
  return !isWhole && before !== "{";
}

function newNameOf(
  version: Version,
  { meaning, text }: Mention,
  { names, wires }: NewNames,
): string | null {
  const nameOf = (syntax: NamedSyntax | undefined): string | null =>
    (syntax && names.get(syntax)) ?? null;
  switch (meaning.kind) {
    case "declaration":
      return nameOf(meaning.syntax);
    case "type":
      return nameOf(version.types.get(text));
    case "error":
      return nameOf(version.errors.get(text));
    case "import-member":
      return nameOf(
        version.types.get(text) ??
          version.errors.get(text) ??
          version.services.get(text),
      );
    case "request-field":
    case "body": {
      // Names within other structs are those of types, which keep them.
      if (meaning.kind === "body" && (meaning.within ?? []).length > 0)
        return null;
      const part = partOf(version, messageOf(meaning), text);
      return (part && wires.get(part)) ?? null;
    }
    case "sibling":
      return nameOf(
        meaning.struct.fields.find(({ name }) => name.text === text),
      );
    case "annotation":
    case "credential":
    case "header-key":
    case "import":
    case "metadata-key":
    case "value":
      return null;
  }
}

function messageOf(meaning: {
  readonly kind: "request-field" | "body";
  readonly method: Method;
}): Message {
  return meaning.kind === "body" ? meaning.method.output : meaning.method.input;
}
