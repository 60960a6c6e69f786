import { widthOf } from "../diagnostics/text-width.js";
import type { LineIndex } from "../source/line-index.js";
import type {
  Annotation,
  DocLines,
  Document,
  Documented,
  ErrorDeclaration,
  Import,
  Item,
  Message,
  Metadata,
  Method,
  Typed,
  TypeExpression,
  Word,
} from "./ast.js";
import { isFormPath } from "./form-path.js";
import { quote } from "./values.js";

/** A line of RIDL to print that is neither a comment nor blank. */
export interface PrintedLine {
  /** The text without indentation. */
  readonly text: string;
  /** The level: 0 for declarations, 1 for members, 2 for their metadata. */
  readonly depth: number;
  /** Offset of the line's content in the source. */
  readonly start: number;
  /**
   * Whether a comment at the end of the line documents what the line declares.
   */
  readonly isDefinition: boolean;
  /** The doc comment. It is printed only if the document has no comments. */
  readonly docs: DocLines;
  /**
   * The group of the declaration that begins here. It is "" if the declaration
   * is not grouped.
   */
  readonly group?: string;
}

/** Prints every line of a document except comments and blank lines. */
export function printLines(
  document: Document,
  lines: LineIndex,
): readonly PrintedLine[] {
  const errorLines = alignErrors(document.items);
  const isForm = isFormPath(document.source.path);
  return document.items.flatMap((item) => {
    const [first, ...others] = printItem(
      item,
      isForm ? null : lines,
      errorLines,
    );
    return first ? [{ ...first, group: groupOf(item) }, ...others] : [];
  });
}

/**
 * Returns the group of an item, or "" if it is not grouped. Items of the same
 * group need no blank line between them.
 */
function groupOf({ kind, docs }: Item): string {
  const isOneLine = kind === "header" || kind === "import" || kind === "error";
  return isOneLine && docs.length === 0 ? kind : "";
}

function printItem(
  item: Item,
  lines: LineIndex | null,
  errorLines: ReadonlyMap<Item, string>,
): PrintedLine[] {
  switch (item.kind) {
    case "header": {
      const text = `${item.key.text} = ${printWord(item.value)}`;
      return define(item, 0, text, lines);
    }
    case "import":
      return printImport(item, lines);
    case "error":
      return define(item, 0, errorLines.get(item) ?? "", lines);
    case "enum":
      return [
        ...define(item, 0, `enum ${item.name.text}: ${item.base.text}`, lines),
        ...item.members.flatMap((member) => {
          const value = member.value ? ` = ${printWord(member.value)}` : "";
          return define(member, 1, `- ${member.name.text}${value}`, lines);
        }),
      ];
    case "alias": {
      const text = `type ${item.name.text}: ${printType(item.type)}`;
      return [
        ...define(item, 0, text, lines),
        ...item.metadata.map((entry) => printMetadata(entry, 1)),
      ];
    }
    case "struct":
      return [
        ...define(item, 0, `struct ${item.name.text}`, lines),
        ...item.fields.flatMap((field) => [
          ...define(field, 1, `- ${printTyped(field)}`, lines),
          ...field.metadata.map((entry) => printMetadata(entry, 2)),
        ]),
      ];
    case "service":
      return [
        ...define(item, 0, `service ${printWord(item.name)}`, lines),
        ...item.methods.flatMap((method) =>
          define(method, 1, printMethod(method), lines),
        ),
      ];
  }
}

interface Definition extends Documented {
  readonly annotations?: readonly Annotation[];
}

/**
 * Returns the lines of a definition's annotations and its own line. `lines` is
 * null in the JSON form.
 */
function define(
  { span, docs, annotations }: Definition,
  depth: number,
  text: string,
  lines: LineIndex | null,
): PrintedLine[] {
  const byLine = new Map<number, Annotation[]>();
  for (const annotation of annotations ?? []) {
    // In a document without lines, all are on one: webrpc loses a comment above
    // two lines of annotations.
    const line = lines?.lineOf(annotation.span.start) ?? 0;
    const group = byLine.get(line) ?? [];
    group.push(annotation);
    byLine.set(line, group);
  }
  const result = [...byLine.values()].map((group) => ({
    text: group.map(printAnnotation).join(" "),
    depth,
    start: group[0]?.span.start ?? span.start,
    isDefinition: true,
    docs: [] as DocLines,
  }));
  result.push({ text, depth, start: span.start, isDefinition: true, docs: [] });
  return result.map((line, index) => (index === 0 ? { ...line, docs } : line));
}

function printMetadata(
  { key, value, span }: Metadata,
  depth: number,
): PrintedLine {
  const text = `+ ${key.text} = ${printWord(value)}`;
  return { text, depth, start: span.start, isDefinition: false, docs: [] };
}

function printAnnotation({ name, value }: Annotation): string {
  return value ? `@${name.text}:${printWord(value)}` : `@${name.text}`;
}

/**
 * Prints an import. The span shows whether it has the list form: if so, the
 * first entry begins at `import`, with the path on a line below, and the others
 * begin at the `-`.
 */
function printImport(item: Import, lines: LineIndex | null): PrintedLine[] {
  const { path, span } = item;
  const before = lines?.slice(span.start, path.span.start) ?? "";
  const isListed = before.includes("-");
  const definition = { text: `import ${printWord(path)}`, depth: 0 };
  const entry = { text: `- ${printWord(path)}`, depth: 1 };
  const line = {
    ...(isListed ? entry : definition),
    start: isListed ? path.span.start : span.start,
    isDefinition: true,
    docs: item.docs,
  };
  const head = { ...line, text: "import", depth: 0, start: span.start };
  return [
    ...(isListed && before.startsWith("import") ? [head] : []),
    line,
    ...item.members.map((member) => ({
      text: `- ${printWord(member)}`,
      depth: 1,
      start: member.span.start,
      isDefinition: false,
      docs: [],
    })),
  ];
}

/** Aligns the columns of consecutive errors. */
function alignErrors(items: readonly Item[]): ReadonlyMap<Item, string> {
  const printed = new Map<Item, string>();
  let block: ErrorDeclaration[] = [];
  for (const item of items) {
    if (item.kind === "error") block.push(item);
    else {
      alignBlock(block, printed);
      block = [];
    }
  }
  alignBlock(block, printed);
  return printed;
}

function alignBlock(
  block: readonly ErrorDeclaration[],
  printed: Map<Item, string>,
): void {
  const codes = widest(block.map(({ code }) => code.text));
  const names = widest(block.map(({ name }) => name.text));
  const texts = widest(block.map(({ message }) => printWord(message)));
  for (const item of block) {
    const code = pad(item.code.text, codes);
    const name = pad(item.name.text, names);
    const text = printWord(item.message);
    const status = item.status
      ? `${pad(text, texts)} HTTP ${item.status.text}`
      : text;
    printed.set(item, `error ${code} ${name} ${status}`);
  }
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

function printMethod({ name, isProxy, input, output, errors }: Method): string {
  if (isProxy) return `- proxy ${name.text}`;
  const stream = input.isStream ? "stream " : "";
  const hasOutput = output.span.end > output.span.start || hasContent(output);
  const result = hasOutput
    ? ` => ${output.isStream ? "stream " : ""}${printMessage(output)}`
    : "";
  const names = errors?.map(({ text }) => text).join(" | ");
  const clause = names === undefined ? "" : ` errors ${names}`;
  return `- ${stream}${name.text}${printMessage(input)}${result}${clause}`;
}

function hasContent({ arguments: list, succinct, isStream }: Message): boolean {
  return list.length > 0 || succinct !== undefined || isStream;
}

function printMessage(message: Message): string {
  if (message.succinct) return `(${message.succinct.text})`;
  return `(${message.arguments.map(printTyped).join(", ")})`;
}

function printTyped(field: Typed): string {
  const mark = field.isOptional ? "?" : "";
  return `${field.name.text}${mark}: ${printType(field.type)}`;
}

/** Prints a type as webrpc's tools do, without white space. */
export function printType(type: TypeExpression): string {
  switch (type.kind) {
    case "name":
      return type.name.text;
    case "list":
      return `[]${printType(type.element)}`;
    case "map":
      return `map<${printType(type.key)},${printType(type.value)}>`;
  }
}

function printWord({ text, isQuoted }: Word): string {
  return isQuoted ? quote(text) : text;
}
