import { buildText, type Statement } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { functionOf } from "../text/shapes.js";

/** An exported function with docs. */
export function exportedFunction(
  docs: readonly string[],
  name: Doc,
  parameters: readonly Doc[],
  returnType: Doc,
  body: readonly Doc[],
): Statement {
  const code = functionOf(name, parameters, returnType, body);
  return buildText(docs, ["export ", code]);
}
