import { jsonNameOf } from "../../../../generator/2-check/notation/metadata.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import type { Span } from "../../../../generator/source/source.js";
import type { InlayHint } from "../model/results.js";

/**
 * Lists JSON names that differ from field names, and the HTTP status of errors.
 */
export function listHints(
  program: Program,
  { path, syntax }: LoadedDocument,
  within: Span,
): readonly InlayHint[] {
  const errors = program.scopes.get(path)?.errorsByName;
  return syntax.items
    .filter(({ span }) => span.end >= within.start && span.start <= within.end)
    .flatMap((item): readonly InlayHint[] => {
      switch (item.kind) {
        case "struct":
          return item.fields.flatMap((field) => {
            const name = jsonNameOf(field);
            if (name === field.name.text) return [];
            const label = name === null ? "not in JSON" : `"${name}"`;
            const docs = "The field's name in JSON.";
            return { offset: field.name.span.end, label, docs };
          });
        case "error":
          return item.status
            ? []
            : [statusHint(item.message.span.end, "HTTP 400")];
        case "service":
          return item.methods.flatMap(({ errors: names = [] }) =>
            names.flatMap(({ span, text }) => {
              const error = errors?.get(text)?.syntax;
              const status = error?.status?.text ?? "400";
              return error ? [statusHint(span.end, status)] : [];
            }),
          );
        case "alias":
        case "enum":
        case "header":
        case "import":
          return [];
      }
    })
    .filter(({ offset }) => within.start <= offset && offset <= within.end);
}

function statusHint(offset: number, label: string): InlayHint {
  return { offset, label, docs: "The error's HTTP status." };
}
