import type { Annotation } from "../../1-parse/ast.js";

/** What carries annotations. */
interface Annotated {
  readonly annotations: readonly Annotation[];
}

/** The annotation of that name, if any. */
export function findAnnotation(
  owner: Annotated,
  name: string,
): Annotation | undefined {
  return owner.annotations.find((each) => each.name.text === name);
}

/**
 * The headers that an `@auth` annotation names, in order.
 * Input: `@auth:"X-Access-Key,Authorization"`.
 */
export function listCredentials(auth: Annotation): readonly string[] {
  return (auth.value?.text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
