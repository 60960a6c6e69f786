import { join } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Location } from "../../source/source.js";
import { pathFrom } from "../project/paths.js";

/**
 * Diagnostics with paths as seen from `folder`, so that terminals and CI find
 * the files: documents are named from the project's root, wherever that is.
 */
export function rebaseDiagnostics(
  diagnostics: readonly Diagnostic[],
  root: string,
  folder: string,
): readonly Diagnostic[] {
  if (root === folder) return diagnostics;
  const move = ({ source, span }: Location): Location => ({
    source: { ...source, path: pathFrom(folder, join(root, source.path)) },
    span,
  });
  return diagnostics.map((diagnostic) => {
    const { location, related, fix } = diagnostic;
    return {
      ...diagnostic,
      ...(location && { location: move(location) }),
      ...(related && {
        related: related.map((each) => ({
          ...each,
          location: move(each.location),
        })),
      }),
      ...(fix && { fix: { ...fix, location: move(fix.location) } }),
    };
  });
}
