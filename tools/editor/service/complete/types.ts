import { isDeprecated } from "../../../../generator/2-check/notation/deprecation.js";
import { isScalarName, scalars } from "../../../../generator/ir/scalars.js";
import { describeScalar } from "../hover/describe-wire.js";
import { printDocs } from "../hover/print-docs.js";
import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import { findImportable } from "./find-importable.js";
import type { CompletionScope } from "./line-context.js";
import {
  createNameMatcher,
  spanBefore,
  type LineContext,
} from "./line-context.js";

/** Completes every type, and adds the import if it is missing. */
export function completeTypes(
  line: LineContext,
  surroundings: CompletionScope,
): readonly Completion[] {
  const span = spanBefore(line);
  const core = Object.keys(scalars).map((name) =>
    createCompletion(name, "core-type", span, {
      docs: isScalarName(name) ? describeScalar(name) : "",
      rank: 2,
    }),
  );
  const map = createCompletion("map", "core-type", span, {
    text: "map<string,$0>",
    docs: "A JSON object with arbitrary keys.",
    rank: 2,
  });
  return [...completeDeclared(line, surroundings), ...core, map];
}

/** Completes declared types, or only structs. */
export function completeDeclared(
  line: LineContext,
  surroundings: CompletionScope,
  isStruct = false,
): readonly Completion[] {
  const span = spanBefore(line);
  const isMatch = createNameMatcher(line);
  return findImportable(line.document, surroundings, "types", isMatch)
    .filter(({ symbol }) => !isStruct || symbol.syntax.kind === "struct")
    .map(({ symbol: { syntax, document }, edits, rank }) =>
      createCompletion(syntax.name.text, syntax.kind, span, {
        detail: `${syntax.kind} · ${document.path}`,
        docs: printDocs(syntax),
        edits,
        rank,
        isDeprecated: isDeprecated(syntax),
      }),
    );
}
