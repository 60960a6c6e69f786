import type { ts } from "ts-morph";
import type { BaseContext } from "../change/base-url.js";
import { symbolOf } from "../change/find-creation.js";
import { Unclear } from "../change/unclear.js";

/**
 * Checks the function that sends the requests of a client.
 *
 * Errors: {@link Unclear} if it can need the contract of ts-rest.
 */
export function checkApi(api: ts.Expression, context: BaseContext): void {
  const code = codeOf(api, context);
  if (code === null) {
    throw new Unclear(api, "the code of this function is unknown");
  }
  const name = /\b(?:rawQuery|route)\b/u.exec(code)?.[0];
  if (name !== undefined) {
    throw new Unclear(api, `this function uses \`${name}\` of ts-rest`);
  }
}

/** Returns the code of a function, wherever that is. Null if it is unknown. */
function codeOf(
  node: ts.Expression,
  { checker, compiler }: BaseContext,
): string | null {
  if (compiler.isArrowFunction(node) || compiler.isFunctionExpression(node)) {
    return node.getText();
  }
  // A call such as `createApi(token)` returns a function that it contains.
  const named = compiler.isCallExpression(node) ? node.expression : node;
  const declarations = symbolOf(named, { checker, compiler })?.declarations;
  const own = declarations?.find(
    (each) => !each.getSourceFile().isDeclarationFile,
  );
  return own?.getText() ?? null;
}
