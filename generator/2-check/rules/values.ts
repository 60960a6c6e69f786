import type { Argument, Field } from "../../1-parse/ast.js";
import {
  findJsonName,
  findMetadata,
  jsonNameOf,
} from "../notation/metadata.js";
import { isStringType } from "../program/resolve-type.js";
import { foldName } from "../program/scope.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { inNodes, locate, type NodeFinding } from "../report/finding.js";
import type { Metadata } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { isPortableName, jsonNameLine } from "../../ir/json-name.js";
import { isFormPath } from "../../1-parse/form-path.js";
import type { CheckRules } from "./rule.js";

/** Rules about the JSON names of fields, and about aliases of strings. */
export const valueRules = {
  "invalid-json-name": inNodes(
    ["fields", "arguments"],
    ({ syntax, document }) => {
      const json = findMetadata(syntax, "json");
      const any = findMetadata(syntax, "jsonName");
      if (any === undefined)
        return json !== undefined && findJsonFault(json, syntax, document);
      if (json !== undefined) {
        return {
          at: any.key,
          message: `\`json\` and \`jsonName\` both set the JSON name of \`${syntax.name.text}\``,
          related: [{ at: json.key, label: "first set here" }],
          help: "remove one of them",
        };
      }
      return findAnyNameFault(any, syntax) ?? findGoFault(any, syntax);
    },
  ),

  "duplicate-json-name": inNodes(["structs", "messages"], ({ syntax }) => {
    const [fields, noun] =
      syntax.kind === "struct"
        ? [syntax.fields, "fields"]
        : [syntax.arguments, "arguments"];
    if (!fields.some(hasJsonName)) return false;
    return (
      findDuplicates<Field | Argument>(fields, (field) =>
        foldName(jsonNameOf(field) ?? ""),
      )
        // Equal names are reported as `duplicate-field`.
        .filter(({ first, again }) => !isSameName(first, again))
        .map(({ first, again }) => ({
          at: nameOnWire(again),
          message: `${noun} \`${first.name.text}\` and \`${again.name.text}\` have the same JSON name \`${jsonNameOf(again) ?? ""}\``,
          related: [{ at: nameOnWire(first), label: "first used here" }],
          help: "give one of them another `+ json` name",
        }))
    );
  }),

  "invalid-accept": inNodes(["aliases"], ({ syntax, document }, program) => {
    const accept = findMetadata(syntax, "accept");
    if (accept === undefined) return false;
    const { key, value } = accept;
    if (value.text !== "integer") {
      const message = `\`accept\` must be \`integer\`, not \`${value.text}\``;
      return { at: value, message };
    }
    return (
      !isStringType(program, document, syntax.type) && {
        at: key,
        message: "`accept` is only allowed on an alias of `string`",
      }
    );
  }),

  "invalid-known-values": inNodes(["aliases"], (alias, program) => {
    const { syntax, document } = alias;
    const known = findMetadata(syntax, "known");
    const scope = program.scopes.get(document.path);
    if (known === undefined || !scope?.isComplete) return false;
    const { key, value } = known;
    if (!isStringType(program, document, syntax.type)) {
      return {
        at: key,
        message: "`known` is only allowed on an alias of `string`",
      };
    }
    const enums = scope.types.flatMap(({ syntax: type }) =>
      type.kind === "enum" && type.base.text === "string" ? type.name.text : [],
    );
    if (enums.includes(value.text)) return false;
    return {
      at: value,
      message: `\`${value.text}\` is not a string enum`,
      ...(!scope.typesByName.has(value.text) &&
        didYouMean(value.text, enums, locate(document, value))),
    };
  }),
} satisfies CheckRules;

/** Returns the problem with a name in `+ json`. webrpc only accepts some. */
function findJsonFault(
  { key, value }: Metadata,
  syntax: Field | Argument,
  document: LoadedDocument,
): NodeFinding | false {
  const name = jsonNameOf(syntax);
  const isEmpty = value.text === "";
  if (name === null || (isPortableName(name) && !isEmpty)) return false;
  const location = locate(document, key);
  const isFixable =
    !isEmpty &&
    name === value.text &&
    !isFormPath(document.path) &&
    isAnyName(name);
  return {
    at: value,
    message: `\`${isEmpty ? '""' : name}\` cannot be the JSON name of a field`,
    notes: [
      "a name in `json` begins with a letter, followed by letters, digits and `_`; `-` omits the field",
    ],
    ...(!isEmpty && {
      help: `write \`${jsonNameLine(name)}\`, which allows any name`,
    }),
    ...(isFixable && { fix: { location, replacement: "jsonName" } }),
  };
}

function findAnyNameFault(
  { value }: Metadata,
  { kind }: Field | Argument,
): NodeFinding | null {
  // RIDL has no metadata of arguments, so their names must be words.
  if (kind === "argument" && !/^[A-Za-z_]\w*$/.test(value.text)) {
    return {
      at: value,
      message: `\`${value.text || '""'}\` cannot be the JSON name of an argument`,
      notes: [`the name of an argument consists of letters, digits and \`_\``],
      help: "turn the message into a struct",
    };
  }
  if (isAnyName(value.text)) return null;
  return {
    at: value,
    message: `\`${value.text || '""'}\` cannot be the JSON name of a field`,
    notes: [
      "a JSON name has at least one character, and no control characters or unpaired surrogates",
    ],
    ...(value.text === "-" && {
      help: "write `+ json = -` to omit the field",
    }),
  };
}

/** Reports a name that only webrpc's Go code would use. */
function findGoFault(
  { value }: Metadata,
  syntax: Field | Argument,
): NodeFinding | false {
  const tag = findMetadata(syntax, "go.tag.json");
  if (tag === undefined) return false;
  const [name = ""] = tag.value.text.split(",");
  if (name === value.text) return false;
  return {
    at: tag.value,
    severity: "warning",
    message: `the JSON name of \`${syntax.name.text}\` in Go is \`${name || syntax.name.text}\`, but \`jsonName\` is \`${value.text}\``,
    related: [{ at: value, label: "the name on the wire" }],
    help: "use the same name for both",
  };
}

/** Whether a name is valid in `+ jsonName`. */
function isAnyName(name: string): boolean {
  return name !== "-" && /^[^\p{Cc}\p{Cs}]+$/u.test(name);
}

function hasJsonName(field: Field | Argument): boolean {
  return findJsonName(field) !== undefined;
}

function isSameName(a: Field | Argument, b: Field | Argument): boolean {
  return foldName(a.name.text) === foldName(b.name.text);
}

function nameOnWire(field: Field | Argument): Field | Argument["name"] {
  return findJsonName(field)?.value ?? field.name;
}
