import { camelCase, pascalCase, withoutShouting } from "../names/casing.js";
import { escapeInJson, toWellFormed } from "../emitter/invisible.js";
import {
  codeCell,
  docsCell,
  markdownCode,
  markdownComment,
  markdownDocs,
  markdownText,
  oneLine,
} from "./markdown-text.js";
import { goDocs } from "./go-docs.js";
import {
  blockCommentLine,
  docstringLine,
  goString,
  pythonString,
  stringBy,
} from "./quote-code.js";
import { defaultNameRules, type StringRules } from "../names/name-rules.js";
import { snakeCase } from "../view/settle-names.js";
import type { Docs } from "../../ir/contract.js";
import { isRecord } from "../../ir/is-record.js";

/** What a helper accepts or returns, as the check of templates sees it. */
export type HelperType =
  /** Any text or number. */
  | "text"
  /** A doc comment. */
  | "docs"
  /** A name that code can contain as it is. */
  | "identifier"
  /** Text that can be printed. */
  | "printable"
  | "condition"
  /** Anything that can be null. */
  | "nullable"
  /** A string of which the view lists all values, and one of these values. */
  | "choice";

/** A function that templates can call. */
export interface Helper {
  readonly parameters: readonly HelperType[];
  /** Whether the last parameter can be repeated. */
  readonly isVariadic: boolean;
  readonly result: HelperType;
  /** What it does, as a sentence for the documentation. */
  readonly summary: string;
  /** An example: a call, and what it prints or returns. */
  readonly example: readonly [call: string, result: string];
  /** Input: the arguments, and how the set writes strings (default: JSON). */
  run(values: readonly unknown[], strings?: StringRules): unknown;
}

/** Creates a helper that turns a text into text that can be printed. */
function quoting(
  summary: string,
  example: Helper["example"],
  quote: (text: string, strings: StringRules) => string,
): Helper {
  return {
    parameters: ["text"],
    // The parts of a text, e.g. a name, a colon and a value.
    isVariadic: true,
    result: "printable",
    summary,
    example,
    run: (values, strings = defaultNameRules.strings) =>
      quote(values.map(String).join(""), strings),
  };
}

function aboutDocs(
  summary: string,
  example: Helper["example"],
  print: (docs: Pick<Docs, "lines">) => string,
): Helper {
  return {
    parameters: ["docs"],
    isVariadic: false,
    result: "printable",
    summary,
    example,
    run: ([docs]) => print({ lines: linesOf(docs) }),
  };
}

/** Returns the lines of a doc comment. */
function linesOf(docs: unknown): readonly string[] {
  const lines = isRecord(docs) ? docs["lines"] : null;
  return Array.isArray(lines) ? lines.map(String) : [];
}

function casing(
  summary: string,
  example: Helper["example"],
  convert: (text: string) => string,
): Helper {
  return {
    parameters: ["text"],
    isVariadic: false,
    result: "identifier",
    summary,
    example,
    run: ([name]) => {
      const made = convert(String(name)).replace(/[^A-Za-z0-9_]/gu, "");
      return /^[A-Za-z_]/u.test(made) ? made : `_${made}`;
    },
  };
}

function condition(
  parameters: readonly HelperType[],
  isVariadic: boolean,
  summary: string,
  example: Helper["example"],
  run: (values: readonly unknown[]) => boolean,
): Helper {
  return {
    parameters,
    isVariadic,
    result: "condition",
    summary,
    example,
    run,
  };
}

/** Whether a condition holds: it is true, or a list or record with content. */
export function holds(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function printJson(text: string): string {
  return escapeInJson(JSON.stringify(toWellFormed(text)));
}

/** All helpers by name. Templates cannot add any. */
const helpers: Readonly<Record<string, Helper>> = {
  md: quoting(
    "Prints text in Markdown, in which nothing has a meaning.",
    ['{{md "a*b"}}', "a\\*b"],
    markdownText,
  ),
  "md-code": quoting(
    "Prints text as code in Markdown.",
    ['{{md-code "a*b"}}', "`a*b`"],
    markdownCode,
  ),
  "md-cell": quoting(
    "Prints text as code in a cell of a Markdown table.",
    ['{{md-cell "a|b"}}', "<code>a&#124;b</code>"],
    codeCell,
  ),
  "md-docs": aboutDocs(
    "Prints a doc comment in Markdown. Emphasis, code, lists and web links are kept.",
    ["{{md-docs docs}}", "One *book*."],
    markdownDocs,
  ),
  "md-docs-cell": aboutDocs(
    "Prints a doc comment on one line, for a cell of a Markdown table.",
    ["{{md-docs-cell docs}}", "One *book*."],
    docsCell,
  ),
  "html-comment": quoting(
    "Prints text inside `<!-- … -->`.",
    ['{{html-comment "a-->b"}}', "a-b"],
    markdownComment,
  ),
  json: quoting(
    "Prints text as a string in JSON, which JavaScript and YAML also read.",
    ['{{json "it\'s \\"quoted\\""}}', '"it\'s \\"quoted\\""'],
    printJson,
  ),
  "json-escape": quoting(
    "Prints text within a string in JSON that the template begins and ends.",
    ['{{json-escape "it\'s \\"quoted\\""}}', 'it\'s \\"quoted\\"'],
    (text) => printJson(text).slice(1, -1),
  ),
  sql: quoting(
    "Prints text on one line as a string in standard SQL.",
    ['{{sql "it\'s"}}', "'it''s'"],
    (text) => `'${oneLine(text).replaceAll("'", "''")}'`,
  ),
  "sql-name": quoting(
    "Prints text as a name in standard SQL.",
    ['{{sql-name "order"}}', '"order"'],
    (text) => `"${oneLine(text).replaceAll('"', '""')}"`,
  ),
  python: quoting(
    "Prints text as a string in Python.",
    ['{{python "it\'s"}}', '"it\'s"'],
    pythonString,
  ),
  "python-docstring": quoting(
    'Prints text on one line, for a docstring of Python in `"""`.',
    ['{{python-docstring "a\\b"}}', "a\\\\b"],
    docstringLine,
  ),
  go: quoting(
    "Prints text as a string in Go.",
    ['{{go "a\\nb"}}', '"a\\nb"'],
    goString,
  ),
  "go-docs": {
    parameters: ["docs", "text"],
    isVariadic: false,
    result: "printable",
    summary:
      "Prints a doc comment of Go, with a text such as a tab before each line.",
    example: ['{{go-docs docs ""}}', "// One *book*."],
    run: ([docs, indent]) => goDocs(linesOf(docs), String(indent)),
  },
  string: quoting(
    "Prints text as a string, as `strings` in `names.json` says.",
    ['{{string "a\\nb"}}', '"a\\nb"'],
    (text, strings) => stringBy(strings, text),
  ),
  "block-comment": quoting(
    "Prints text on one line, for a comment in `/*` and `*/`.",
    ['{{block-comment "a*/b"}}', "a* /b"],
    blockCommentLine,
  ),
  comment: quoting(
    "Prints text on one line, for a comment that begins with `//`, `#` or `--`.",
    ['{{comment "a\\nb"}}', "a b"],
    // A backslash at the end continues a comment in some languages.
    (text) => oneLine(text).replace(/\\+$/u, ""),
  ),
  camel: casing(
    "Converts a name to camelCase.",
    ["{{camel name}}", "getBook"],
    (name) => camelCase(withoutShouting(name)),
  ),
  pascal: casing(
    "Converts a name to PascalCase.",
    ["{{pascal name}}", "GetBook"],
    (name) => pascalCase(withoutShouting(name)),
  ),
  snake: casing(
    "Converts a name to snake_case.",
    ["{{snake name}}", "get_book"],
    snakeCase,
  ),
  upper: casing(
    "Converts the letters of a name to capital letters.",
    ["{{upper (snake name)}}", "GET_BOOK"],
    (name) => name.toUpperCase(),
  ),
  exists: condition(
    ["nullable"],
    false,
    "Whether a value is not null.",
    ["{{#if (exists version)}}…{{/if}}", "true"],
    ([value]) => value !== null,
  ),
  is: condition(
    ["choice", "choice"],
    true,
    "Whether a value is the given one, or one of those given, of its possible values.",
    ['{{#if (is kind "rpc")}}…{{/if}}', "true"],
    ([value, ...others]) => others.includes(value),
  ),
  and: condition(
    ["condition", "condition"],
    true,
    "Whether all conditions hold.",
    ["{{#if (and isOptional isNullable)}}…{{/if}}", "false"],
    (values) => values.every(holds),
  ),
  or: condition(
    ["condition", "condition"],
    true,
    "Whether one of the conditions holds.",
    ["{{#if (or isOptional isNullable)}}…{{/if}}", "true"],
    (values) => values.some(holds),
  ),
  not: condition(
    ["condition"],
    false,
    "Whether a condition does not hold.",
    ["{{#if (not isOptional)}}…{{/if}}", "false"],
    ([value]) => !holds(value),
  ),
};

/** The names of all helpers. */
export const helperNames: readonly string[] = Object.keys(helpers);

/** Whether there is a helper with a name. */
export function isHelper(name: string): boolean {
  return Object.hasOwn(helpers, name);
}

/** Returns a helper, or undefined if there is none with the name. */
export function findHelper(name: string): Helper | undefined {
  return isHelper(name) ? helpers[name] : undefined;
}
