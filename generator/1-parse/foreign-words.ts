import type { ParseCode } from "../diagnostics/catalog.js";

/** Maps syntax from other languages to advice about RIDL. */
type Advice = Readonly<Record<string, string>>;

const aList = "a list is written `[]type`";
const aMap = "a map is written `map<key,value>`";
const aMethod =
  "write a method below a `service`: `- Get(id: uint64) => (item: Item)`";
const aStruct =
  "write `struct Name`, followed by a line `- name: type` for each field";
const anAlias = "write `type Name: type`";
const anImport = 'write `import "file.ridl"`';
const noHeader =
  "remove it: a document begins with `webrpc = v1`, `name = …` and `version = …`";
const noInheritance = "repeat the fields: there is no inheritance";
const noModifier = "remove it: it has no meaning in RIDL";
const aUnion =
  "declare a union (docs/unions.md): `type Name: any`, with the line `+ oneOf = A|B` below it; for fixed strings declare an enum, and for a value that can be null or absent write `name?: type`";
const listedValues =
  "write the type of the values, such as `string`, and list them in a line below it: `+ enum = a|b`";
const optional = "write `name?: type` for an optional value";
const results = "write the response as `=> (name: type)`";
const someInteger = "write an integer type such as `int32` or `uint64`";
const someNumber =
  "write `float64`, or an integer type such as `int32` or `uint64`";
const someText =
  "write `string`, and add `+ pattern = …` to restrict its format";

/** Advice about fields or metadata below an error. */
export const errorData =
  "an error has only a code, a name, a message and a status; for its data (docs/errors.md), declare a struct, and `type NameData: Struct` with the line `+ dataOf = Name` below it";

/** Words that begin a line. */
const keywords: Advice = {
  ...each("interface class input record model entity dataclass", aStruct),
  ...each("rpc query mutation subscription function def func fn", aMethod),
  ...each("syntax edition package namespace module option go", noHeader),
  ...each("openapi swagger paths components", aMethod),
  ...each("scalar typedef newtype alias", anAlias),
  ...each("include require from using use", anImport),
  ...each("union oneof anyOf", aUnion),
  ...each("const let var", "there are no constants; use a comment"),
  ...each("export public pub", "remove it: every declaration can be imported"),
  ...each("exception throws", 'write `error 1001 Name "text" HTTP 400`'),
  extend: noInheritance,
};

/** Words before the name of a field. */
const modifiers: Advice = {
  repeated: "write `- name: []type`",
  stream: "write `=> stream (name: type)`",
  optional: `${optional}; fields need no numbers`,
  required:
    "write `- name: type`: fields are required unless their name ends in `?`",
  ...each("readonly public private static final const", noModifier),
};

/** Names of types, in lower case. */
const types: Advice = {
  ...each("number", someNumber),
  ...each("float double real", "write `float64` or `float32`"),
  ...each("integer long short ulong", someInteger),
  ...each("sint32 sfixed32", "write `int32`"),
  ...each("sint64 sfixed64", "write `int64`"),
  ...each("fixed32", "write `uint32`"),
  ...each("fixed64", "write `uint64`"),
  ...each(
    "decimal money bigdecimal",
    "write `bigint` and count in the smallest unit, or write `string`",
  ),
  boolean: "write `bool`",
  ...each(
    "date datetime time instant",
    "write `timestamp`, or `string` for a date without a time",
  ),
  duration:
    "write an integer type, and put the unit in the name: `timeoutMs: uint32`",
  ...each("uuid guid id email text varchar str char", someText),
  ...each("url uri", "write `string`, and add `+ format = uri` below it"),
  ...each("bytes binary blob buffer uint8array", "write `[]byte`"),
  ...each(
    "object json jsonb unknown mixed interface",
    "write `any`, `map<string,any>`, or declare a struct",
  ),
  ...each("void unit empty", "leave the parentheses empty, or omit `=> (…)`"),
  ...each("array list slice set vec vector tuple", aList),
  ...each("map record dict dictionary hashmap", aMap),
  ...each("anyof oneof union discriminatedunion either", aUnion),
  ...each("true false literal", listedValues),
  allof: noInheritance,
  ...each("undefined none nil", optional),
  ...each("upload multipart", "write `file`"),
  ...each("optional nullable maybe option partial", optional),
  ...each("promise future observable", "write only the type"),
  ...each("asynciterable iterable flux", "write `=> stream (name: type)`"),
};

/** Advice about unexpected text, by diagnostic code. */
const found: Partial<Record<ParseCode, Advice>> = {
  "missing-type": {
    "{": "declare a struct, and write its name here",
    '"': `declare \`enum Name: string\` with a line \`- name = "value"\` for each value, or ${listedValues}`,
    "*": optional,
    ",": "each argument has a type, as in `name: type`; a `file` must be the only output",
    "=": "write `:` before the type, as in `name: string`",
    struct: "write `struct Name`",
  },
  "missing-name": { '"': "write the name without quotes" },
  "unexpected-token": {
    ...each("{ }", "remove the braces: members are lines that begin with `-`"),
    ";": "remove it: lines need no terminator",
    ",": "remove it: each member goes on its own line",
    "/": "a comment begins with `#`",
    "=": "there are no default values; use a comment",
    "?": "write the `?` after the name: `name?: type`",
    "!": "remove it: fields are required unless their name ends in `?`",
    "|": aUnion,
    "<": "declare a struct for each type: structs have no type parameters",
    ...each(": returns return", results),
    ...each("throws raises throw", "write `errors NotFound | Forbidden`"),
    ...each("extends implements", noInheritance),
  },
};

function each(words: string, advice: string): Advice {
  return Object.fromEntries(words.split(" ").map((word) => [word, advice]));
}

/**
 * Returns advice about an unknown word at the beginning of a line, if there is
 * any.
 */
export function adviseKeyword(word: string): string | undefined {
  return ownOf(keywords, word);
}

/** Returns advice about a word before the name of a field, if there is any. */
export function adviseModifier(word: string): string | undefined {
  return ownOf(modifiers, word);
}

/** Returns advice about the name of an undeclared type, if there is any. */
export function adviseType(name: string): string | undefined {
  return (
    adviseAlternatives(name) ??
    (/^-?\d/u.test(name) ? listedValues : ownOf(types, name.toLowerCase()))
  );
}

/** Returns advice about a type such as `A | B` or `"a" | "b"`. */
export function adviseAlternatives(text: string): string | undefined {
  if (!text.includes("|")) return undefined;
  return /^[\s=]*(?:["']|-?\d|(?:true|false)\b)/u.test(text)
    ? listedValues
    : aUnion;
}

/** Returns advice about unexpected text, if there is any. */
export function adviseFound(code: ParseCode, text: string): string | undefined {
  return ownOf(found[code] ?? {}, text);
}

function ownOf(advice: Advice, word: string): string | undefined {
  return Object.hasOwn(advice, word) ? advice[word] : undefined;
}
