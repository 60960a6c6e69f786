import type { Field } from "../../1-parse/ast.js";
import { findDuplicates } from "../report/duplicates.js";
import { jsonNameOf } from "../notation/json-name.js";
import { findMetadata } from "../notation/metadata.js";
import { locate, relate, reportError } from "../report/report.js";
import { foldName } from "../program/scope.js";
import type { Rule } from "./rule.js";

/** Fields of a struct differ on the wire too. */
export const duplicateJsonName: Rule = ({ nodes }) =>
  nodes.structs.flatMap(({ syntax, document }) => {
    // Equal names are `duplicate-field`.
    if (!syntax.fields.some(hasJsonName)) return [];
    return findDuplicates(syntax.fields, (field) =>
      foldName(jsonNameOf(field) ?? ""),
    )
      .filter(({ first, again }) => !isSameName(first, again))
      .map(({ first, again }) =>
        reportError(
          "duplicate-json-name",
          locate(document, nameOnWire(again)),
          `fields \`${first.name.text}\` and \`${again.name.text}\` have the same JSON name \`${jsonNameOf(again) ?? ""}\``,
          {
            related: [relate(document, nameOnWire(first), "first used here")],
            help: "give one of them another `+ json` name",
          },
        ),
      );
  });

function hasJsonName(field: Field): boolean {
  return findMetadata(field, "json") !== undefined;
}

function isSameName(a: Field, b: Field): boolean {
  return foldName(a.name.text) === foldName(b.name.text);
}

function nameOnWire(field: Field): Field["name"] {
  return findMetadata(field, "json")?.value ?? field.name;
}
