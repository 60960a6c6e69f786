import type { Field } from "../../1-parse/ast.js";
import { jsonNameOf } from "../notation/json-name.js";
import { findMetadata } from "../notation/metadata.js";
import { resolveType } from "../program/resolve-type.js";
import { foldName } from "../program/scope.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { errorAt } from "../report/finding.js";
import { locate, relate } from "../report/report.js";
import type { CheckRules } from "./rule.js";

/** Rules about the JSON names of fields, and about aliases of strings. */
export const valueRules = {
  "invalid-json-name": ({ nodes }) =>
    (nodes.metadata.get("json") ?? []).flatMap(
      ({ syntax: line, document, owner }) => {
        const isLast = findMetadata(owner, "json") === line;
        if (owner.kind !== "field" || !isLast) return [];
        const name = jsonNameOf(owner);
        const isEmpty = line.value.text === "";
        if (name === null || (JSON_NAME.test(name) && !isEmpty)) return [];
        return errorAt(
          locate(document, line.value),
          `\`${isEmpty ? '""' : name}\` cannot be the JSON name of a field`,
          {
            notes: [
              "a JSON name begins with a letter, followed by letters, digits and `_`; `-` leaves the field out",
            ],
          },
        );
      },
    ),

  "duplicate-json-name": ({ nodes }) =>
    nodes.structs.flatMap(({ syntax, document }) => {
      // Equal names are `duplicate-field`.
      if (!nodes.metadata.has("json") || !syntax.fields.some(hasJsonName))
        return [];
      return findDuplicates(syntax.fields, (field) =>
        foldName(jsonNameOf(field) ?? ""),
      )
        .filter(({ first, again }) => !isSameName(first, again))
        .map(({ first, again }) =>
          errorAt(
            locate(document, nameOnWire(again)),
            `fields \`${first.name.text}\` and \`${again.name.text}\` have the same JSON name \`${jsonNameOf(again) ?? ""}\``,
            {
              related: [relate(document, nameOnWire(first), "first used here")],
              help: "give one of them another `+ json` name",
            },
          ),
        );
    }),

  "invalid-accept": (program) =>
    program.nodes.aliases.flatMap(({ syntax, document }) => {
      const accept = findMetadata(syntax, "accept");
      if (accept === undefined) return [];
      if (accept.value.text !== "integer") {
        return errorAt(
          locate(document, accept.value),
          `\`accept\` must be \`integer\`, not \`${accept.value.text}\``,
        );
      }
      const type = resolveType(program, document, syntax.type);
      if (type === null) return [];
      if (type.kind === "scalar" && type.name === "string") return [];
      return errorAt(
        locate(document, accept.key),
        "`accept` belongs on an alias of `string`",
      );
    }),

  "invalid-known-values": (program) =>
    program.nodes.aliases.flatMap(({ syntax, document }) => {
      const known = findMetadata(syntax, "known");
      const scope = program.scopes.get(document.path);
      if (known === undefined || !scope?.isComplete) return [];
      const type = resolveType(program, document, syntax.type);
      if (type !== null && (type.kind !== "scalar" || type.name !== "string")) {
        return errorAt(
          locate(document, known.key),
          `\`known\` belongs on an alias of \`string\``,
        );
      }
      const declared = scope.typesByName.get(known.value.text)?.syntax;
      if (declared?.kind === "enum" && declared.base.text === "string")
        return [];
      const place = locate(document, known.value);
      const enums = scope.types.flatMap(({ syntax: type }) =>
        type.kind === "enum" && type.base.text === "string"
          ? [type.name.text]
          : [],
      );
      return errorAt(
        place,
        `\`${known.value.text}\` is not a string enum`,
        declared === undefined
          ? didYouMean(known.value.text, enums, place)
          : {},
      );
    }),
} satisfies CheckRules;

const JSON_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

function hasJsonName(field: Field): boolean {
  return findMetadata(field, "json") !== undefined;
}

function isSameName(a: Field, b: Field): boolean {
  return foldName(a.name.text) === foldName(b.name.text);
}

function nameOnWire(field: Field): Field["name"] {
  return findMetadata(field, "json")?.value ?? field.name;
}
