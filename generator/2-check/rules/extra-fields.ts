import type { Field, StructDeclaration } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { scalars } from "../../ir/scalars.js";
import {
  findJsonName,
  findMetadata,
  isExtra,
  metadataValue,
} from "../notation/metadata.js";
import { structUnionOf } from "../notation/unions.js";
import type { Declared, Program } from "../program/program.js";
import {
  aliasesOf,
  isNullableType,
  isStringType,
  resolveType,
} from "../program/resolve-type.js";
import { inNodes, type NodeFinding } from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** The rule about fields that collect extra members. */
export const extraFieldRules = {
  "invalid-extra": inNodes(["structs", "arguments"], (node, program) => {
    const { document, syntax } = node;
    if (syntax.kind === "argument") {
      const key = isExtra(syntax) && findMetadata(syntax, "extra")?.key;
      return (
        key && {
          at: key,
          message: "an argument cannot collect extra members",
          help: "turn the message into a struct",
        }
      );
    }
    const fields = syntax.fields.filter(isExtra);
    return fields.flatMap((field, at) => {
      const [first] = at === 0 ? [] : fields;
      return (
        findFieldFault(field, document, program) ??
        (first === undefined
          ? findStructFault(field, { document, syntax }, program)
          : findSecond(field, first)) ??
        []
      );
    });
  }),
} satisfies CheckRules;

function findSecond(field: Field, first: Field): NodeFinding {
  return {
    at: field.name,
    message: "a struct has only one field for extra members",
    related: [{ at: first.name, label: "the other one is here" }],
    help: "remove one of them",
  };
}

/** Returns the problem with the type or the metadata of a field, or null. */
function findFieldFault(
  field: Field,
  document: LoadedDocument,
  program: Program,
): NodeFinding | null {
  const { name, type } = field;
  if (!collectsText(field, document, program)) {
    return {
      at: type,
      message: `\`${name.text}\` collects extra members, so its type must be a map with keys of type \`string\``,
      help: "write e.g. `map<string,any>`",
    };
  }
  const json = findJsonName(field);
  if (json !== undefined) {
    return {
      at: json.key,
      message: `\`${name.text}\` collects extra members and has no JSON name of its own`,
      help: `remove \`+ ${json.key.text}\``,
    };
  }
  const nullable = findMetadata(field, "nullable");
  const isNullable = metadataValue(field, "nullable") === "true";
  if (isNullable || isNullableType(program, document, type)) {
    return {
      at: (isNullable && nullable?.key) || type,
      message: `\`${name.text}\` collects extra members and cannot be null`,
      help: "remove `+ nullable`, or write it on the type of the map's values",
    };
  }
  return null;
}

/** Whether the type of a field is a map with text keys, or is unknown. */
function collectsText(
  { type }: Field,
  document: LoadedDocument,
  program: Program,
): boolean {
  const resolved = resolveType(program, document, type);
  if (resolved?.kind !== "map") return resolved === null;
  const alias = aliasesOf(program, document, type).at(-1);
  const map = alias?.syntax.type ?? type;
  return (
    map.kind !== "map" ||
    isStringType(program, alias?.document ?? document, map.key)
  );
}

/** Returns the reason why a struct cannot have extra members, or null. */
function findStructFault(
  field: Field,
  { document, syntax }: Declared<StructDeclaration>,
  program: Program,
): NodeFinding | null {
  const at = field.name;
  const union = structUnionOf(syntax);
  if (union !== null) {
    const [part = field] =
      union.kind === "tag" ? [union.content] : union.fields;
    return {
      at,
      message: "a struct that is a union cannot collect extra members",
      related: [{ at: part.name, label: "this field makes it a union" }],
      help: "declare a `type` for the union, with structs that collect them",
    };
  }
  const file = syntax.fields.find((each) => isFile(each, document, program));
  return file === undefined
    ? null
    : {
        at,
        message: "a struct with a file cannot collect extra members",
        related: [{ at: file.name, label: "the file is here" }],
        help: "collect them in a struct that is a field beside the file",
      };
}

function isFile(
  { type }: Field,
  document: LoadedDocument,
  program: Program,
): boolean {
  const resolved = resolveType(program, document, type);
  const held =
    resolved?.kind === "list"
      ? resolveType(program, resolved.document, resolved.element)
      : resolved;
  return held?.kind === "scalar" && scalars[held.name].wire === "file";
}
