import type {
  Annotation,
  Document,
  Field,
  Item,
  Message,
  Metadata,
  Method,
  Word,
} from "../../generator/1-parse/ast.js";
import { printDocument } from "../../generator/1-parse/print.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import { printType } from "../../generator/1-parse/print-lines.js";
import type { Diagnosed } from "../../generator/diagnostics/diagnostic.js";

/** Parses text as a document with the given name. */
export function parse(text: string, path = "case.ridl"): Diagnosed<Document> {
  return parseDocument({ path, text });
}

/** Formats text. */
export function format(text: string): string {
  return printDocument(parse(text).value);
}

/**
 * Parses text, and prints its tree in short form: with one line per item,
 * quoted words in quotes, and docs after `//`.
 */
export function compact(text: string, path?: string): string[] {
  return parse(text, path).value.items.map(compactItem);
}

/** Parses text, and prints its diagnostics as `severity code "marked text"`. */
export function findings(text: string, path?: string): string[] {
  return parse(text, path).diagnostics.map(({ code, severity, location }) => {
    const { start, end } = location?.span ?? { start: 0, end: 0 };
    const marked = JSON.stringify(text.slice(start, end));
    return `${severity} ${code} ${marked}`;
  });
}

/** Removes the locations from a tree so that trees can be compared. */
export function withoutSpans(document: Document): unknown {
  return JSON.parse(
    JSON.stringify(document.items, (key, value: unknown) =>
      key === "span" ? undefined : value,
    ),
  );
}

function compactItem(item: Item): string {
  switch (item.kind) {
    case "header":
      return `${word(item.key)} = ${word(item.value)}${docs(item.docs)}`;
    case "import":
      return `import ${word(item.path)} [${words(item.members)}]${docs(item.docs)}`;
    case "error": {
      const status = item.status ? ` HTTP ${word(item.status)}` : "";
      const head = `${word(item.code)} ${word(item.name)} ${word(item.message)}`;
      return `${annotations(item.annotations)}error ${head}${status}${docs(item.docs)}`;
    }
    case "enum": {
      const members = item.members.map(
        ({ name, value, docs: lines }) =>
          `${word(name)}${value ? ` = ${word(value)}` : ""}${docs(lines)}`,
      );
      return `${annotations(item.annotations)}enum ${word(item.name)}: ${word(item.base)} {${members.join("; ")}}${docs(item.docs)}`;
    }
    case "alias":
      return `${annotations(item.annotations)}type ${word(item.name)}: ${printType(item.type)}${metadata(item.metadata)}${docs(item.docs)}`;
    case "struct":
      return `${annotations(item.annotations)}struct ${word(item.name)} {${item.fields.map(compactField).join("; ")}}${docs(item.docs)}`;
    case "service":
      return `${annotations(item.annotations)}service ${word(item.name)} {${item.methods.map(compactMethod).join("; ")}}${docs(item.docs)}`;
  }
}

function compactField(field: Field): string {
  const type = printType(field.type);
  return `${annotations(field.annotations)}${word(field.name)}${field.isOptional ? "?" : ""}: ${type}${metadata(field.metadata)}${docs(field.docs)}`;
}

function compactMethod(method: Method): string {
  const kind = method.isProxy ? "proxy " : "";
  const errors = method.errors ? ` errors ${words(method.errors)}` : "";
  return `${annotations(method.annotations)}${kind}${word(method.name)}${message(method.input)} => ${message(method.output)}${errors}${docs(method.docs)}`;
}

function message(part: Message): string {
  const list = part.arguments.map(
    ({ name, isOptional, type }) =>
      `${word(name)}${isOptional ? "?" : ""}: ${printType(type)}`,
  );
  const content = part.succinct ? `*${word(part.succinct)}` : list.join(", ");
  return `${part.isStream ? "stream " : ""}(${content})`;
}

function metadata(entries: readonly Metadata[]): string {
  return entries
    .map(({ key, value }) => ` +${word(key)}=${word(value)}`)
    .join("");
}

function annotations(list: readonly Annotation[]): string {
  return list
    .map(
      ({ name, value }) => `@${word(name)}${value ? `:${word(value)}` : ""} `,
    )
    .join("");
}

function docs(lines: readonly string[]): string {
  return lines.length === 0 ? "" : ` // ${lines.join(" | ")}`;
}

function words(list: readonly Word[]): string {
  return list.map(word).join(" ");
}

function word({ text, isQuoted }: Word): string {
  return isQuoted ? JSON.stringify(text) : text;
}
