import type {
  Annotation,
  Comment,
  EnumMember,
  Field,
  Item,
  Message,
  Metadata,
  Method,
  Typed,
  Word,
} from "../../../generator/1-parse/ast.js";
import { printType } from "../../../generator/1-parse/print-lines.js";

/** A member of an item. */
export type MemberSyntax = EnumMember | Field | Method;

/**
 * What can change on its own in an entry, as RIDL text by what it is: its
 * comment, each of its annotations, its type, each argument, each limit.
 */
export type Parts = ReadonlyMap<string, string>;

type Part = readonly [string, string];

/**
 * Splits an item or a member into its parts. Input: its comments, and the text
 * of its document.
 */
export function partsOf(
  syntax: Item | MemberSyntax,
  comments: readonly Comment[],
  text: string,
): Parts {
  const annotations = "annotations" in syntax ? syntax.annotations : [];
  const metadata = "metadata" in syntax ? syntax.metadata : [];
  return numberRepeated([
    ...commentParts(comments),
    ...annotations.map((each) => annotationPart(each, text)),
    ...headParts(syntax, text),
    ...metadata.map((each) => metadataPart(each, text)),
  ]);
}

function commentParts(comments: readonly Comment[]): readonly Part[] {
  const lines = (isTrailing: boolean): readonly Part[] => {
    const found = comments.filter((each) => each.isTrailing === isTrailing);
    if (found.length === 0) return [];
    const text = found.map((each) => `#${each.text.trimEnd()}`).join("\n");
    return [[isTrailing ? "comment at its end" : "comment", text]];
  };
  return [...lines(false), ...lines(true)];
}

function annotationPart({ name, span }: Annotation, text: string): Part {
  return [`@${name.text}`, text.slice(span.start, span.end)];
}

function metadataPart({ key, span }: Metadata, text: string): Part {
  return [`+ ${key.text}`, text.slice(span.start, span.end)];
}

function headParts(syntax: Item | MemberSyntax, text: string): readonly Part[] {
  const written = ({ span }: Word): string => text.slice(span.start, span.end);
  switch (syntax.kind) {
    case "header":
      return [
        ["name", written(syntax.key)],
        ["value", written(syntax.value)],
      ];
    case "import": {
      const members = syntax.members.map((member) => `  - ${written(member)}`);
      const path = written(syntax.path);
      return [["value", [`import ${path}`, ...members].join("\n")]];
    }
    case "error":
      return [
        ["code", syntax.code.text],
        ["name", written(syntax.name)],
        ["message", written(syntax.message)],
        ["status", syntax.status?.text ?? ""],
      ];
    case "enum":
      return [
        ["name", written(syntax.name)],
        ["type", `enum ${syntax.base.text}`],
      ];
    case "alias":
      return [
        ["name", written(syntax.name)],
        ["type", `type ${printType(syntax.type)}`],
      ];
    case "struct":
      return [
        ["name", written(syntax.name)],
        ["type", "struct"],
      ];
    case "service":
      return [["name", written(syntax.name)]];
    case "enum-member":
      return [
        ["name", written(syntax.name)],
        ...(syntax.value ? [["value", written(syntax.value)] as const] : []),
      ];
    case "field":
      return typedParts(syntax, "");
    case "method":
      return methodParts(syntax);
  }
}

function typedParts({ name, isOptional, type }: Typed, of: string): Part[] {
  return [
    [`${of}name`, name.text],
    [`${of}optional`, isOptional ? "?" : ""],
    [`${of}type`, printType(type)],
  ];
}

function methodParts({
  errors,
  input,
  isProxy,
  name,
  output,
}: Method): readonly Part[] {
  if (isProxy) return [["name", `proxy ${name.text}`]];
  const hasOutput = output.span.end > output.span.start;
  return [
    ["name", name.text],
    ...messageParts(input, "request"),
    ...(hasOutput ? messageParts(output, "response") : []),
    ...(errors ?? []).map(({ text }) => [`error ${text}`, text] as const),
  ];
}

function messageParts(message: Message, of: string): readonly Part[] {
  const stream = message.isStream ? "stream " : "";
  return [
    [of, stream + (message.succinct?.text ?? "()")],
    ...message.arguments.map((argument): Part => {
      const { name, isOptional, type } = argument;
      const mark = isOptional ? "?" : "";
      const text = `${name.text}${mark}: ${printType(type)}`;
      return [`${of} ${name.text}`, text];
    }),
  ];
}

/** Distinguishes parts with the same key by their numbers. */
function numberRepeated(parts: readonly Part[]): Parts {
  const numbered = new Map<string, string>();
  for (const [key, text] of parts) {
    let unique = key;
    for (let number = 2; numbered.has(unique); number++) {
      unique = `${key} ${number}`;
    }
    numbered.set(unique, text);
  }
  return numbered;
}
