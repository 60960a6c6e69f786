import { isFormPath } from "../../../../generator/1-parse/form-path.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import {
  catalog,
  isLintCode,
} from "../../../../generator/diagnostics/catalog.js";
import type { Completion } from "../model/results.js";
import { completeAnnotation, completeAnnotationValue } from "./annotations.js";
import { createCompletion } from "./create-completion.js";
import {
  completeEnumBase,
  completeErrorLine,
  completeHeaderValue,
  completeTopLevel,
} from "./keywords.js";
import { completeImport } from "./imports.js";
import {
  readLine,
  spanBefore,
  type LineContext,
  type CompletionScope,
} from "./line-context.js";
import { completeMetadataKey, completeMetadataValue } from "./metadata.js";
import { completeMethod } from "./methods.js";
import { completeTypes } from "./types.js";

type Complete = (
  line: LineContext,
  surroundings: CompletionScope,
) => readonly Completion[];

/** Patterns for the line before the cursor. The first match is used. */
const situations: readonly (readonly [
  pattern: RegExp,
  block: LineContext["block"] | "any",
  complete: Complete,
])[] = [
  [/^[^"#]*#!\s*ridl-ignore\s+[\w-]*$/, "any", completeSuppression],
  [/^(?:[^"#]|"[^"]*")*(?<!\w)#/, "any", () => []],
  [/(?:^|\s)@\w+:(?:"[^"]*|\S*)$/, "any", completeAnnotationValue],
  [/(?:^|\s)@\w*$/, "any", completeAnnotation],
  [/^\s*\+\s*[\w.]*$/, "any", completeMetadataKey],
  [/^\s*\+\s*oneOf\s*=\s*"?(?:.*[|:,<\]])?\s*\w*$/, "any", completeTypes],
  [/^\s*\+\s*[\w.]+\s*=\s*\S*$/, "any", completeMetadataValue],
  [/^\s*(?:import\s+|-\s*)"?[^\s"]*$/, "import", completeImport],
  [/^\s*-\s*\w+\??:(?:.*[,<\]])?\s*\w*$/, "struct", completeTypes],
  [/^\s*type\s+\w+\s*:(?:.*[,<\]])?\s*\w*$/, "type", completeTypes],
  [/^\s*enum\s+\w+\s*:\s*\w*$/, "enum", completeEnumBase],
  [/^\s*error\s/, "error", completeErrorLine],
  [/^\s*-\s*\S/, "service", completeMethod],
  [/^\s*\w+\s*=\s*\S*$/, "any", completeHeaderValue],
  // Not after indentation alone, because a space requests completions.
  [/^(?:\s+\w+|\w*)$/, "any", completeTopLevel],
];

/** Finds everything that can be written at an offset of a RIDL document. */
export function findCompletions(
  surroundings: CompletionScope,
  document: LoadedDocument,
  offset: number,
): readonly Completion[] {
  if (isFormPath(document.path)) return [];
  const line = readLine(document, offset);
  const situation = situations.find(
    ([pattern, block]) =>
      (block === "any" || block === line.block) && pattern.test(line.before),
  );
  const [, , complete] = situation ?? [];
  return complete?.(line, surroundings) ?? [];
}

function completeSuppression(line: LineContext): readonly Completion[] {
  const span = spanBefore(line, /[\w-]*$/);
  return Object.entries(catalog)
    .filter(([code]) => isLintCode(code))
    .map(([code, detail]) =>
      createCompletion(code, "value", span, { detail, text: `${code} $0` }),
    );
}
