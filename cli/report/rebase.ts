import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import type { Location, Source } from "../../generator/source/source.js";
import { type AbsolutePath, pathFrom, resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";

/** Makes the paths of diagnostics relative to the working directory. */
export function rebaseDiagnostics(
  diagnostics: readonly Diagnostic[],
  { root }: { readonly root: AbsolutePath },
  { workingFolder }: Pick<System, "workingFolder">,
): readonly Diagnostic[] {
  if (root === workingFolder) return diagnostics;
  return renameSources(diagnostics, ({ path }) =>
    pathFrom(workingFolder, resolvePath(root, path)),
  );
}

/** Renames the documents of diagnostics. */
export function renameSources<Found extends Diagnostic>(
  diagnostics: readonly Found[],
  rename: (source: Source) => string,
): readonly Found[] {
  const moved = new Map<Source, Source>();
  const move = ({ source, span }: Location): Location => {
    const known = moved.get(source) ?? { ...source, path: rename(source) };
    moved.set(source, known);
    return { source: known, span };
  };
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
