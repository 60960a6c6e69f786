import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import {
  manifestName,
  parseManifest,
  printManifest,
  withLineFeeds,
} from "../project/manifest.js";
import type { FileChange } from "./changes.js";

/**
 * Reports one diagnostic for each file that a run would change, for `--check`.
 * Input: changes with displayed paths.
 */
export function reportDrift(changes: readonly FileChange[]): Diagnostic[] {
  return changes.flatMap((change) => {
    switch (change.kind) {
      case "keep":
        return [];
      case "create":
        return [drift(`\`${change.path}\` is missing`)];
      case "remove":
        return [drift(`\`${change.path}\` is no longer generated`)];
      case "update":
        return hasOnlyInputChanges(change) ? [] : [reportDifference(change)];
    }
  });
}

/**
 * Whether a manifest differs only in the hashes of inputs. Formatting and
 * private comments change these hashes but not the output.
 */
function hasOnlyInputChanges({ path, text, current }: FileChange): boolean {
  if (!path.endsWith(manifestName)) return false;
  const [wanted, found] = [text, current].map(withoutInputs);
  return wanted !== null && wanted === found;
}

function withoutInputs(text: string | null): string | null {
  const manifest = text === null ? null : parseManifest(text);
  return manifest && printManifest({ ...manifest, inputs: new Map() });
}

function drift(message: string): Diagnostic {
  return {
    code: "drift",
    severity: "error",
    message,
    help: "run `ridl generate` and commit the result",
  };
}

/** Reports the first line that differs. */
function reportDifference({ path, text, current }: FileChange): Diagnostic {
  const source = { path, text: withLineFeeds(current ?? "") };
  const wanted = (text ?? "").split("\n");
  const found = source.text.split("\n");
  const index = found.findIndex((line, index) => line !== wanted[index]);
  const line = index === -1 ? found.length - 1 : index;
  const start = found
    .slice(0, line)
    .reduce((offset, { length }) => offset + length + 1, 0);
  const end = start + (found[line] ?? "").length;
  return {
    ...drift(`\`${path}\` does not match the documents`),
    location: { source, span: { start, end } },
    notes: [`expected ${describeLine(line, wanted)}`],
  };
}

function describeLine(index: number, wanted: readonly string[]): string {
  const line = wanted[index] ?? "";
  if (line !== "") return `\`${line}\``;
  return index < wanted.length - 1 ? "an empty line" : "the end of the file";
}
