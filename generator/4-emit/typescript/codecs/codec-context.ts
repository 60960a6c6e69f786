import type { Field } from "../../../ir/contract.js";
import type { Conversions } from "./conversions.js";
import type { Layout, Unit } from "../names/layout.js";
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

/** All structs of a unit, and the messages of its methods that list arguments. */
export function subjectsOf(
  layout: Layout,
  unit: Unit,
): readonly CodecSubject[] {
  const { names } = layout;
  const structs = unit.types.flatMap((type) =>
    type.kind === "struct"
      ? { name: names.type(type.name), fields: type.fields }
      : [],
  );
  const services = unit.host?.services ?? [];
  const messages = services.flatMap((service) =>
    service.methods.flatMap((method) =>
      (["request", "response"] as const).flatMap((side) =>
        method[side].struct === null
          ? { name: names.method(method)[side], fields: method[side].fields }
          : [],
      ),
    ),
  );
  return [...structs, ...messages];
}
