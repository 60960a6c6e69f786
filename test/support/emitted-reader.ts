import { clientEmitter } from "../../generator/4-emit/typescript/client/client.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../generator/ir/contract.js";
import { same } from "../../runtime/typescript/codegen/codec.js";
import { runEmitted, type Exports } from "./run-emitted.js";

/**
 * Returns a function that reads responses like the generated client of a
 * contract.
 */
export function readerOf(
  contract: Contract,
  chosen: EmitOptions,
  codecs: Exports,
): (text: string) => unknown {
  const text = clientEmitter.emit(contract, chosen)[0]?.text ?? "";
  const { arbitrarySend } = runEmitted(text, { "./codecs.js": codecs });
  const { decode = same, parse = JSON.parse } = Object(arbitrarySend);
  return (message) => decode(parse(message));
}
