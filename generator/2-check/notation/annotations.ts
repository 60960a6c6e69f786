import type { Annotation, Method } from "../../1-parse/ast.js";

/** Returns the annotation with this name, if any. */
export function findAnnotation(
  owner: Pick<Method, "annotations">,
  name: string,
): Annotation | undefined {
  return owner.annotations.find((each) => each.name.text === name);
}
