import { findAnnotation } from "../../2-check/notation/annotations.js";
import { jsonNameOf } from "../../2-check/notation/json-name.js";
import { findType } from "../../2-check/program/reach.js";
import type {
  Declared,
  DeclaredType,
  Program,
  TypeOwner,
} from "../../2-check/program/program.js";
import { rememberEach } from "../../ir/remember.js";
import { type TypeChain, followType } from "./type-places.js";

/** A field or argument of requests, with the types that it consists of. */
export interface RequestPart extends Declared<TypeOwner> {
  readonly trail: TypeChain;
  /** The struct that contains the field, or null for arguments. */
  readonly struct: DeclaredType | null;
}

/**
 * Everything that callers send to a server: arguments of methods, and fields of
 * the structs in them. Webhooks are excluded, because the host sends them.
 */
export const findRequestParts = rememberEach(listRequestParts);

function listRequestParts(program: Program): readonly RequestPart[] {
  const parts: RequestPart[] = [];
  const structs = new Set<DeclaredType>();
  const add = (
    owner: Declared<TypeOwner>,
    struct: DeclaredType | null,
  ): void => {
    const trail = followType(program, owner.document, owner.syntax);
    parts.push({ ...owner, trail, struct });
    if (trail.end?.syntax.kind === "struct") structs.add(trail.end);
  };
  for (const { syntax: method, document } of program.nodes.methods) {
    if (findAnnotation(method, "webhook")) continue;
    const { arguments: given, succinct } = method.input;
    for (const syntax of given) add({ syntax, document }, null);
    const body = findType(program, document, succinct?.text);
    if (body) structs.add(body);
  }
  // The loop also visits structs that it adds to the set.
  for (const struct of structs) {
    if (struct.syntax.kind !== "struct") continue;
    const { document } = struct;
    for (const syntax of struct.syntax.fields) {
      if (jsonNameOf(syntax) !== null) add({ syntax, document }, struct);
    }
  }
  return parts;
}
