import type { Contract } from "../ir/contract.js";
import type {
  EmitContext,
  EmitOptions,
  Emitter,
  OutputFile,
} from "./emitter.js";
import { copyRuntime } from "./runtime-copy/runtime-copy.js";

/**
 * Runs the chosen emitters over a contract, and adds the runtime files that
 * their output imports when `runtime: copy` is set.
 *
 * Output: the files in path order. Errors: none.
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
  const copied =
    options.runtime === "copy" ? copyRuntime(emitted, options, context) : [];
  return [...emitted, ...copied].sort(byPath);
}

/** By UTF-16 units, so that the order is the same under every locale. */
function byPath(left: OutputFile, right: OutputFile): number {
  if (left.path === right.path) return 0;
  return left.path < right.path ? -1 : 1;
}
