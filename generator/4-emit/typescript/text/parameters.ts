import { docOf } from "./code.js";
import { textOf, type Doc } from "./format.js";
import type { Form } from "./forms.js";
import type { Parameter } from "./structures.js";

/** Parameters as their file has them, e.g. `page?: Page` or `page = {}`. */
export function parametersOf(
  parameters: readonly Parameter[] = [],
  { hasCode, hasTypes }: Form,
): readonly Doc[] {
  return parameters.map(({ hasQuestionToken, initializer, name, type }) => {
    const value =
      initializer === undefined || !hasCode ? "" : ` = ${initializer}`;
    if (!hasTypes) return name + value;
    const isOptional =
      hasQuestionToken === true || (initializer !== undefined && !hasCode);
    return textOf([`${name}${isOptional ? "?" : ""}: `, docOf(type), value]);
  });
}
