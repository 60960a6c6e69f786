/// <reference types="tree-sitter-cli/dsl" />

// RIDL for editors that use tree-sitter. The grammar accepts more than the parser
// of ridlkit, because it only highlights. `test/editors/tree-sitter.long.ts`
// compares them.

/** The characters that end a word. */
const ends = ` \\t\\r\\n\\[\\](){}<>=:¿?¡!,"\\x00`;

/** Names of the core types, as in `generator/ir/scalars.ts`. */
const coreTypes = [
  "any",
  "bigint",
  "bool",
  "byte",
  "file",
  "float32",
  "float64",
  "int",
  "int8",
  "int16",
  "int32",
  "int64",
  "null",
  "string",
  "timestamp",
  "uint",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
];

export default grammar({
  name: "ridl",

  extras: ($) => [/[\s\uFEFF]/, $.comment],

  word: ($) => $.word,

  rules: {
    document: ($) => repeat($._item),

    _item: ($) =>
      choice(
        $.header,
        $.import,
        $.error,
        $.enum,
        $.alias,
        $.struct,
        $.service,
        $.annotation,
        $.metadata,
      ),

    comment: () => token(/#[^\n]*/),

    header: ($) =>
      seq(
        field("name", choice("webrpc", "name", "version", "basepath")),
        choice(
          seq("=", field("value", choice($.string, $.literal))),
          $._nothing,
        ),
      ),

    import: ($) =>
      prec.right(
        seq(
          "import",
          choice(
            seq($._path, repeat(seq("-", $._path))),
            repeat1(seq("-", $._path)),
          ),
        ),
      ),

    error: ($) =>
      prec.right(
        seq(
          "error",
          field("code", alias($.word, $.number)),
          field("name", $.word),
          optional(field("message", choice($.string, $.word))),
          optional(seq("HTTP", field("status", alias($.word, $.number)))),
        ),
      ),

    enum: ($) =>
      prec.right(
        seq(
          "enum",
          field("name", $.word),
          ":",
          $._type,
          repeat(choice($.member, $.metadata, $.annotation)),
        ),
      ),

    member: ($) => seq("-", field("name", $.word), optional($._assignment)),

    alias: ($) =>
      prec.right(
        seq(
          "type",
          field("name", $.word),
          ":",
          $._type,
          repeat(choice($.metadata, $.annotation)),
        ),
      ),

    struct: ($) =>
      prec.right(
        seq(
          choice("struct", "message"),
          field("name", $.word),
          repeat(choice($.field, $.metadata, $.annotation)),
        ),
      ),

    field: ($) =>
      seq(
        "-",
        field("name", $.word),
        optional("?"),
        ":",
        field("type", $._type),
      ),

    service: ($) =>
      prec.right(
        seq(
          "service",
          field("name", choice($.string, $.literal)),
          repeat(choice($.method, $.metadata, $.annotation)),
        ),
      ),

    method: ($) =>
      prec.right(
        seq(
          "-",
          choice(
            seq("proxy", field("name", $.word)),
            seq(
              optional("stream"),
              field(
                "name",
                choice($.word, alias("stream", $.word), alias("proxy", $.word)),
              ),
              $.message,
            ),
          ),
          optional(seq("=>", optional("stream"), $.message)),
          optional($.errors),
        ),
      ),

    message: ($) =>
      seq(
        "(",
        optional(
          seq($._argument, repeat(seq(",", $._argument)), optional(",")),
        ),
        ")",
      ),

    _argument: ($) => choice($.argument, $.core_type, alias($.word, $.type)),

    argument: ($) =>
      seq(
        field("name", choice($.word, alias($.core_type, $.word))),
        optional("?"),
        ":",
        field("type", $._type),
      ),

    errors: ($) => seq("errors", $.word, repeat(seq(choice("|", ","), $.word))),

    metadata: ($) => seq("+", field("key", $.word), optional($._assignment)),

    annotation: ($) =>
      prec.right(
        seq(
          "@",
          field("name", $.word),
          optional(seq(":", field("value", choice($.string, $.value)))),
        ),
      ),

    _type: ($) => choice($.list, $.map, $.core_type, $.type),

    list: ($) => seq("[", "]", $._type),

    map: ($) => seq($.map_start, $._type, ",", $._type, ">"),

    // One token, because the keyword `map` would make types end as words do.
    map_start: () => token(/map[ \t]*</),

    core_type: () => token(choice(...coreTypes)),

    type: () => token(new RegExp(`[A-Za-z0-9_][^#;${ends}]*`)),

    word: () => token(new RegExp(`[A-Za-z0-9_][^${ends}]*`)),

    // Header values, names of services and paths.
    literal: () => token(/[^\s"#=]+/),

    _path: ($) => choice($.string, $.path),

    path: () => token(/[A-Za-z0-9_.\/][^\s]*/),

    _assignment: ($) =>
      choice(seq("=", field("value", choice($.string, $.value))), $._nothing),

    // A value that is missing, so that the next line is not the value.
    _nothing: () => token(/=[ \t\r]*\n/),

    // Values of metadata, members and annotations.
    value: () => token(/[^\s"]\S*/),

    string: ($) =>
      seq(
        '"',
        repeat(
          choice(
            token.immediate(prec(1, /[^"\\\n]+/)),
            alias(token.immediate(prec(1, /\\[^\n]/)), $.escape),
          ),
        ),
        token.immediate('"'),
      ),
  },
});
