import type { Field } from "../../../ir/contract.js";
import type { Conversions } from "./conversions.js";
import type { Unit } from "../names/layout.js";
import type { TypeContext } from "../types/type-text.js";

/** What is needed to write the codecs of one file. */
export interface CodecContext extends TypeContext {
  readonly unit: Unit;
  readonly conversions: Conversions;
}

/** A struct, or the listed arguments of a message. */
export interface CodecSubject {
  /** Its TypeScript type. */
  readonly name: string;
  readonly fields: readonly Field[];
}
