import type { Contract } from "../ir/contract.js";
import type {
  EmitContext,
  EmitOptions,
  Emitter,
  OutputFile,
} from "./emitter/emitter.js";
import { copyRuntime } from "./copy-runtime.js";

/**
 * Runs emitters on a contract. With `runtime: copy`, adds the runtime's files
 * that their output needs.
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
    emitter.emit(contract, options, context),
  );
  return completeFiles(emitted, options, context);
}

/** Adds the runtime's files to emitted files, and sorts them by path. */
export function completeFiles(
  emitted: readonly OutputFile[],
  options: EmitOptions,
  context: EmitContext,
): readonly OutputFile[] {
  const copied =
    options.runtime === "copy" ? copyRuntime(emitted, options, context) : [];
  return [...emitted, ...copied].sort(byPath);
}

/** Compares UTF-16 code units, so the order does not depend on the locale. */
function byPath(left: OutputFile, right: OutputFile): number {
  if (left.path === right.path) return 0;
  return left.path < right.path ? -1 : 1;
}
