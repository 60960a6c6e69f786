import type { Contract } from "../ir/contract.js";
import { explorerPage } from "./docs/explorer-data.js";
import type {
  EmitContext,
  EmitOptions,
  Emitter,
  OutputFile,
} from "./emitter/emitter.js";
import { copyRuntime } from "./runtime-copy/runtime-copy.js";

/**
 * Runs emitters on a contract. Adds files that their output needs: the
 * runtime's files with `runtime: copy`, and the explorer's script and style.
 *
 * Returns the files sorted by path.
 */
export function emitContract(
  contract: Contract,
  emitters: readonly Emitter[],
  options: EmitOptions,
  context: EmitContext,
): readonly OutputFile[] {
  const emitted = emitters.flatMap((emitter) =>
    emitter.emit(contract, options),
  );
  return completeFiles(emitted, options, context);
}

/**
 * Adds ridlkit's own files that the emitted files need. Returns all files,
 * sorted by path.
 */
export function completeFiles(
  emitted: readonly OutputFile[],
  options: EmitOptions,
  context: EmitContext,
): readonly OutputFile[] {
  const copied =
    options.runtime === "copy" ? copyRuntime(emitted, options, context) : [];
  const shown = options.docs === undefined ? [] : addExplorer(emitted, context);
  return [...emitted, ...copied, ...shown].sort(byPath);
}

function addExplorer(
  emitted: readonly OutputFile[],
  { explorerFiles }: EmitContext,
): readonly OutputFile[] {
  if (!emitted.some(({ path }) => path === explorerPage)) return [];
  return Array.from(explorerFiles ?? [], ([name, text]) => ({
    path: `explorer/${name}`,
    text,
  }));
}

/** Compares UTF-16 code units, so the order does not depend on the locale. */
function byPath(left: OutputFile, right: OutputFile): number {
  if (left.path === right.path) return 0;
  return left.path < right.path ? -1 : 1;
}
