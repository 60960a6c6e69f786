import type { Annotation, Method } from "../../1-parse/ast.js";
import { rememberEach } from "../../ir/remember.js";

/** Returns the annotation with this name, if any. */
export function findAnnotation(
  owner: Pick<Method, "annotations">,
  name: string,
): Annotation | undefined {
  return owner.annotations.find((each) => each.name.text === name);
}

/** Lists the headers of an annotation such as `@auth:"X-Access-Key,X-B"`. */
export const listCredentials = rememberEach(
  (auth: Annotation): readonly string[] =>
    (auth.value?.text ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
);
