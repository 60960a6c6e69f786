import fc from "fast-check";
import type {
  Annotation,
  Argument,
  Document,
  EnumMember,
  Field,
  Item,
  Message,
  Metadata,
  Method,
  TypeExpression,
  Word,
} from "../../generator/1-parse/ast.js";
import { codePoint } from "../../tools/test/code-point.js";

const span = { start: 0, end: 0 };

const nameText = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);
/**
 * Names as unusual as the language allows. `stream` and `proxy` are modifiers.
 */
const wordText = fc.oneof(
  nameText,
  fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_./|$*é漢-]{0,6}$/),
);
/** The contents of strings: any characters within one line, and escapes. */
const stringText = fc
  .string({ unit: codePoint, maxLength: 12 })
  .map((text) => text.replaceAll("\0", "").replaceAll("\ufeff", ""));

function toWord(text: string, isQuoted = false): Word {
  return { text, span, isQuoted };
}

const name: fc.Arbitrary<Word> = nameText
  .filter((text) => text !== "stream" && text !== "proxy" && text !== "map")
  .map((text) => toWord(text));
const quoted = stringText.map((text) => toWord(text, true));
const literal = fc.oneof(
  wordText.map((text) => toWord(text)),
  quoted,
);
const digits = fc.nat().map((code) => toWord(String(code)));
const metadataValue = fc.oneof(
  quoted,
  // An unquoted backslash is an escape, or a warning.
  fc.stringMatching(/^[!#-[\]-~é]{1,8}$/).map((text) => toWord(text)),
);

const docs = fc.array(
  fc
    .string({ maxLength: 20 })
    .map((text) => text.replace(/[\0\n\r]/g, "").trimEnd()),
  { maxLength: 2 },
);

const annotations: fc.Arbitrary<Annotation[]> = fc.array(
  fc.record(
    {
      kind: fc.constant("annotation" as const),
      span: fc.constant(span),
      name,
      value: fc.oneof(quoted, name),
    },
    { requiredKeys: ["kind", "span", "name"] },
  ),
  { maxLength: 2 },
);

const type: fc.Arbitrary<TypeExpression> = fc.letrec<{ type: TypeExpression }>(
  (tie) => ({
    type: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      name.map((word) => ({ kind: "name" as const, span, name: word })),
      tie("type").map((element) => ({ kind: "list" as const, span, element })),
      fc
        .tuple(tie("type"), tie("type"))
        .map(([key, value]) => ({ kind: "map" as const, span, key, value })),
    ),
  }),
).type;

const metadata: fc.Arbitrary<Metadata[]> = fc.array(
  fc.record({
    kind: fc.constant("metadata" as const),
    span: fc.constant(span),
    key: wordText
      .filter((text) => !/[^\w.]/.test(text))
      .map((text) => toWord(text)),
    value: metadataValue,
  }),
  { maxLength: 2 },
);

const base = { span: fc.constant(span), docs };

const field: fc.Arbitrary<Field> = fc.record({
  ...base,
  kind: fc.constant("field" as const),
  annotations,
  name,
  isOptional: fc.boolean(),
  type,
  metadata,
});

const argument: fc.Arbitrary<Argument> = fc.record({
  kind: fc.constant("argument" as const),
  span: fc.constant(span),
  name,
  isOptional: fc.boolean(),
  type,
  metadata: fc.constant([]),
});

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    kind: fc.constant("message" as const),
    span: fc.constant(span),
    isStream: fc.boolean(),
    arguments: fc.array(argument, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant("message" as const),
    span: fc.constant(span),
    isStream: fc.boolean(),
    succinct: name,
    arguments: fc.constant([]),
  }),
);

const empty: Message = {
  kind: "message",
  span,
  isStream: false,
  arguments: [],
};

const method: fc.Arbitrary<Method> = fc.oneof(
  fc.record(
    {
      ...base,
      kind: fc.constant("method" as const),
      annotations,
      name,
      isProxy: fc.constant(false),
      input: message,
      output: message,
      errors: fc.array(name, { minLength: 1, maxLength: 3 }),
    },
    {
      requiredKeys: [
        "span",
        "docs",
        "kind",
        "annotations",
        "name",
        "isProxy",
        "input",
        "output",
      ],
    },
  ),
  fc.record({
    ...base,
    kind: fc.constant("method" as const),
    annotations,
    name,
    isProxy: fc.constant(true),
    input: fc.constant(empty),
    output: fc.constant(empty),
  }),
);

const enumMember: fc.Arbitrary<EnumMember> = fc.record(
  {
    ...base,
    kind: fc.constant("enum-member" as const),
    name,
    value: literal.filter(({ text }) => text !== ""),
  },
  { requiredKeys: ["span", "docs", "kind", "name"] },
);

const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({
    ...base,
    kind: fc.constant("header" as const),
    key: fc
      .constantFrom("webrpc", "name", "version", "basepath")
      .map((text) => toWord(text)),
    value: literal,
  }),
  fc.record({
    ...base,
    kind: fc.constant("import" as const),
    path: literal,
    members: fc.array(literal, { maxLength: 2 }),
  }),
  fc.record(
    {
      ...base,
      kind: fc.constant("error" as const),
      annotations,
      code: digits,
      name,
      message: quoted,
      status: digits,
    },
    {
      requiredKeys: [
        "span",
        "docs",
        "kind",
        "annotations",
        "code",
        "name",
        "message",
      ],
    },
  ),
  fc.record({
    ...base,
    kind: fc.constant("enum" as const),
    annotations,
    name,
    base: name,
    members: fc.array(enumMember, { maxLength: 3 }),
  }),
  fc.record({
    ...base,
    kind: fc.constant("alias" as const),
    annotations,
    name,
    type,
    metadata,
  }),
  fc.record({
    ...base,
    kind: fc.constant("struct" as const),
    annotations,
    name,
    fields: fc.array(field, { maxLength: 4 }),
  }),
  fc.record({
    ...base,
    kind: fc.constant("service" as const),
    annotations,
    name: literal,
    methods: fc.array(method, { maxLength: 4 }),
  }),
);

/**
 * Documents as a JSON or YAML reader would build them: without locations, and
 * with docs instead of comments.
 */
export const anyDocument: fc.Arbitrary<Document> = fc
  .array(item, { maxLength: 6 })
  .map((items) => ({
    kind: "document",
    source: { path: "generated.json", text: "" },
    items,
    comments: [],
  }));

/**
 * Prints RIDL for generated documents, with random comments and blank lines.
 */
export function anyText(print: (document: Document) => string) {
  const decoration = fc.constantFrom(
    ...["# own", "    # deep", "", "  ", "#! private", "#", "\t# tab ", "\r"],
  );
  const ending = fc.constantFrom(
    ...["", "", "", " # behind", "#glued", "  ", "\r", "\t#! hidden"],
  );
  const noise = fc.array(
    fc.tuple(fc.array(decoration, { maxLength: 2 }), ending),
  );
  return fc.tuple(anyDocument, noise).map(([document, list]) => {
    const rows = print(document).split("\n");
    return rows
      .flatMap((row, index) => {
        const [before, after] = list[index] ?? [[], ""];
        // A `#` directly after a word would be part of that word.
        const isGlued = after.startsWith("#") && row.trim() !== "";
        const end = isGlued ? ` ${after}` : after;
        return [...before, row.includes("#") ? row : row + end];
      })
      .join("\n");
  });
}
