import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import type { Credential } from "../../../generator/ir/contract.js";
import { placeNamed } from "../../../generator/ir/credentials-of.js";

/** Where a credential is sent, and the word before its value. */
export type Sent = Pick<Credential, "parameter" | "place" | "scheme">;

/**
 * Returns the credentials that a generated function sends, from its option
 * `security`, or null if the option is not written as expected.
 */
export function readSecurity(
  request: ts.CallExpression,
  compiler: Compiler,
): readonly Sent[] | null {
  const [options] = request.arguments;
  const security = options && memberOf(options, "security", compiler);
  if (security === undefined) return [];
  if (!compiler.isArrayLiteralExpression(security)) return null;
  const read = security.elements.map((each): Sent | null => {
    const textOf = (name: string): string | null => {
      const value = memberOf(each, name, compiler);
      return value && compiler.isStringLiteralLike(value) ? value.text : null;
    };
    const place = placeNamed(textOf("in") ?? "header");
    const type = textOf("type");
    return type === null || place === undefined
      ? null
      : {
          place,
          parameter: textOf("name") ?? "Authorization",
          scheme: type === "http" ? textOf("scheme") : null,
        };
  });
  const known = read.filter((each) => each !== null);
  return known.length === read.length ? known : null;
}

function memberOf(
  node: ts.Expression,
  name: string,
  compiler: Compiler,
): ts.Expression | undefined {
  if (!compiler.isObjectLiteralExpression(node)) return undefined;
  for (const each of node.properties) {
    if (compiler.isPropertyAssignment(each) && each.name.getText() === name) {
      return each.initializer;
    }
  }
  return undefined;
}
