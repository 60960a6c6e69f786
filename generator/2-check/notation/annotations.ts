import type { Annotation, Method } from "../../1-parse/ast.js";
import type { Resume } from "../../ir/contract.js";

/** Returns the annotation with this name, if any. */
export function findAnnotation(
  owner: Pick<Method, "annotations">,
  name: string,
): Annotation | undefined {
  return owner.annotations.find((each) => each.name.text === name);
}

/**
 * Returns the parts of `@resume:"after=message.id"`, or null if the value is
 * malformed.
 */
export function resumeOf({ value }: Annotation): Resume | null {
  const parts = /^([^=.\s]+)=([^=.\s]+(?:\.[^=.\s]+)*)$/u.exec(
    value?.text ?? "",
  );
  const [, argument, cursor] = parts ?? [];
  if (argument === undefined || cursor === undefined) return null;
  return { argument, cursor: cursor.split(".") };
}
