import type { Message, Struct } from "../../../../generator/ir/contract.js";
import type { Side, Subject } from "./change.js";
import type { PlacedField, PlacedMethod } from "./paired-contracts.js";

/** The object that is the entire message, or one inside it. */
export interface ObjectShape {
  readonly fields: readonly PlacedField[];
  readonly subject: Subject;
}

/** Returns the object that a message is. */
export function messageShape(
  { method, subject }: PlacedMethod,
  side: Side,
): ObjectShape {
  const { struct, fields }: Message = method[side];
  if (struct !== null) {
    return {
      fields: placeFields(struct, fields),
      subject: typeSubject({ name: struct }),
    };
  }
  return {
    fields: fields.map((field) => ({
      field,
      subject: { kind: "argument", method: subject, side, name: field.name },
    })),
    subject,
  };
}

/** Returns the object that the values of a struct are. */
export function toShape(struct: Struct): ObjectShape {
  const { fields, name } = struct;
  return { fields: placeFields(name, fields), subject: typeSubject(struct) };
}

function placeFields(
  type: string,
  fields: Struct["fields"],
): readonly PlacedField[] {
  return fields.map((field) => ({
    field,
    subject: { kind: "member", type, name: field.name },
  }));
}

/** Returns a type as what changed. */
export function typeSubject({ name }: { readonly name: string }): Subject {
  return { kind: "type", name };
}
