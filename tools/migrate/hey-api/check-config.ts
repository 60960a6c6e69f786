import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import { UnsupportedCode } from "../change/unsupported-code.js";

/** Options of a client that the new one has, too. */
const known: ReadonlySet<string> = new Set([
  "auth",
  "baseUrl",
  "cache",
  "credentials",
  "fetch",
  "headers",
  "integrity",
  "keepalive",
  "mode",
  "priority",
  "redirect",
  "referrer",
  "referrerPolicy",
  "signal",
  "window",
]);

/** Returns the first option of a client that has no equivalent, or null. */
export function checkConfig(
  config: ts.Expression,
  compiler: Compiler,
): UnsupportedCode | null {
  if (!compiler.isObjectLiteralExpression(config)) return null;
  const wrong = config.properties.find(
    ({ name }) => name !== undefined && !known.has(name.getText()),
  );
  if (wrong === undefined) return null;
  return new UnsupportedCode(
    wrong,
    `the option \`${wrong.name?.getText()}\` has no equivalent`,
    "remove it if the contract says the same",
  );
}

/**
 * Returns the options of `createClient`, without the function that adds the
 * defaults, or null if there are none.
 *
 * Errors: {@link UnsupportedCode} for an option that has no equivalent.
 */
export function configOf(
  { arguments: [config] }: ts.CallExpression,
  compiler: Compiler,
): ts.Expression | null {
  if (config === undefined) return null;
  if (
    compiler.isCallExpression(config) &&
    /^createConfig\b/u.test(config.getText())
  ) {
    return configOf(config, compiler);
  }
  const wrong = checkConfig(config, compiler);
  if (wrong !== null) throw wrong;
  return config;
}
