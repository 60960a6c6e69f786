import type { Argument, Field } from "../../1-parse/ast.js";
import { jsonNameOf, findMetadata } from "../notation/metadata.js";
import { isStringType } from "../program/resolve-type.js";
import { foldName } from "../program/scope.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { inNodes, locate } from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** Rules about the JSON names of fields, and about aliases of strings. */
export const valueRules = {
  "invalid-json-name": inNodes(["fields", "arguments"], ({ syntax }) => {
    const value = findMetadata(syntax, "json")?.value;
    if (value === undefined) return false;
    const name = jsonNameOf(syntax);
    const isEmpty = value.text === "";
    if (name === null || (JSON_NAME.test(name) && !isEmpty)) return false;
    return {
      at: value,
      message: `\`${isEmpty ? '""' : name}\` cannot be the JSON name of a field`,
      notes: [
        "a JSON name begins with a letter, followed by letters, digits and `_`; `-` omits the field",
      ],
    };
  }),

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

const JSON_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

function hasJsonName(field: Field | Argument): boolean {
  return findMetadata(field, "json") !== undefined;
}

function isSameName(a: Field | Argument, b: Field | Argument): boolean {
  return foldName(a.name.text) === foldName(b.name.text);
}

function nameOnWire(field: Field | Argument): Field | Argument["name"] {
  return findMetadata(field, "json")?.value ?? field.name;
}
