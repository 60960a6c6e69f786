import type { ts } from "ts-morph";
import { byPlace } from "../../../generator/http/credentials.js";
import { foldKey, keyOf } from "../../../generator/ir/credentials-of.js";
import { rememberEach } from "../../../generator/ir/remember.js";
import type { Migration } from "../change/old-client.js";
import type { ContractOperation } from "../change/operations.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import { readSecurity, type Sent } from "./read-security.js";

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
  if (hasChoice(security ?? []) && hasAuth(migration)) {
    throw new UnsupportedCode(
      call,
      "it sends one of several credentials in one place, the first that `auth` returns",
      "send the credential by an interceptor or in `headers`",
    );
  }
  const before = security && describe(security);
  const after = describe(
    method.credentials.map((each) => ({
      ...each,
      scheme: schemeOf(each, migration),
    })),
  );
  if (before?.toLowerCase() === after.toLowerCase()) return;
  if (!hasAuth(migration)) return;
  throw new UnsupportedCode(
    call,
    `it sends ${before ?? "credentials that are not written as expected"}, and the method of the contract sends ${after}`,
    "send the credential by an interceptor or in `headers`",
  );
}

/** Whether credentials differ only in the word before their values. */
function hasChoice(security: readonly Sent[]): boolean {
  const words = new Map(security.map((each) => [keyFor(each), each.scheme]));
  return security.some((each) => words.get(keyFor(each)) !== each.scheme);
}

/** Lists the credentials that each generated function can send. */
const sentByFunctions = rememberEach(
  ({ client, compiler, programs }: Migration): readonly (readonly Sent[])[] => {
    const generated = new Set(
      programs
        .flatMap((program) => program.getSourceFiles())
        .filter((source) => client.isGenerated(source)),
    );
    const found: (readonly Sent[])[] = [];
    const visit = (node: ts.Node): void => {
      if (compiler.isCallExpression(node)) {
        found.push(readSecurity(node, compiler) ?? []);
      }
      node.forEachChild(visit);
    };
    for (const source of generated) visit(source);
    return found;
  },
);

/**
 * Returns the word that a new client sends before the value of a credential. If
 * the credential is the whole header, it is the one that most functions send.
 */
export function schemeOf(
  credential: Sent,
  migration: Migration,
): string | null {
  if (credential.scheme !== null) return credential.scheme;
  const key = keyFor(credential);
  const counts = new Map<string | null, number>();
  for (const all of sentByFunctions(migration)) {
    // Of several in one place, the first is sent.
    const sent = all.find((each) => keyFor(each) === key);
    if (sent) counts.set(sent.scheme, (counts.get(sent.scheme) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, left], [, right]) => right - left);
  const [word] = most ?? [null];
  return /^(?:basic|bearer)$/iu.test(word ?? "") ? word : null;
}

/** Describes credentials. Of several in one place, the first is sent. */
function describe(credentials: readonly Sent[]): string {
  const texts = new Map(
    credentials
      .map(({ parameter, place, scheme }) => {
        const word = scheme === null ? "" : `${capitalize(scheme)} `;
        const text = byPlace(
          { place },
          {
            header: `${parameter}: ${word}…`,
            query: `?${parameter}=…`,
            cookie: `Cookie: ${parameter}=…`,
          },
        );
        return [keyFor({ parameter, place }), `\`${text}\``] as const;
      })
      .toReversed(),
  );
  return [...texts.values()].sort().join(" and ") || "no credential";
}

/** Returns the place of a credential, the same for each of its spellings. */
function keyFor(sent: Omit<Sent, "scheme">): string {
  return foldKey(keyOf(sent));
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
