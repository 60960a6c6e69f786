import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import type { Credential } from "../../../generator/ir/contract.js";
import type { Migration } from "../change/old-client.js";
import type { ContractOperation } from "../change/operations.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import { byPlace, placeNamed } from "../../../generator/http/credentials.js";

/** Where a credential is sent, and the word before its value. */
type Sent = Pick<Credential, "parameter" | "place" | "scheme">;

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

/**
 * Errors: {@link UnsupportedCode} if a call sends other credentials than the method of
 * the contract. A program without `auth` sends none.
 */
export function checkSecurity(
  call: ts.CallExpression,
  security: readonly Sent[] | null,
  { method }: ContractOperation,
  migration: Migration,
): void {
  const before = security && describe(security);
  const after = describe(method.credentials);
  if (before?.toLowerCase() === after.toLowerCase()) return;
  if (!hasAuth(migration)) return;
  throw new UnsupportedCode(
    call,
    `it sends ${before ?? "credentials that are not written as expected"}, and the method of the contract sends ${after}`,
    "send the credential by an interceptor or in `headers`",
  );
}

/** Describes credentials. Of several in one place, the first is sent. */
function describe(credentials: readonly Sent[]): string {
  const texts = new Map(
    credentials
      .map(({ parameter, place, scheme }) => {
        const key = `${place} ${parameter.toLowerCase()}`;
        const word = scheme === null ? "" : `${capitalize(scheme)} `;
        const text = byPlace(
          { place },
          {
            header: `${parameter}: ${word}…`,
            query: `?${parameter}=…`,
            cookie: `Cookie: ${parameter}=…`,
          },
        );
        return [key, `\`${text}\``] as const;
      })
      .toReversed(),
  );
  return [...texts.values()].sort().join(" and ") || "no credential";
}

function capitalize(scheme: string): string {
  return scheme.slice(0, 1).toUpperCase() + scheme.slice(1);
}

/** Whether code that is not generated sets `auth`. */
function hasAuth({ client, programs }: Migration): boolean {
  return programs.some((program) =>
    program
      .getSourceFiles()
      .some(
        (source) =>
          !source.isDeclarationFile &&
          !client.isGenerated(source) &&
          /\bauth\b/u.test(source.text),
      ),
  );
}
