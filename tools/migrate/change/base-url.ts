import type { ts } from "ts-morph";
import type { CodeChange } from "./old-client.js";
import type { Base } from "./operations.js";
import type { NamedProperty } from "./properties.js";
import { UnsupportedCode } from "./unsupported-code.js";

/** The options of a new client. */
export interface NewOptions {
  readonly text: string;
  /** The base URL, if it may not end with the prefix. */
  readonly doubtful: ts.Node | null;
}

/** Returns what a person should check of a base URL, or null. */
export function warningFor(
  { doubtful }: NewOptions,
  { prefix }: Base,
): UnsupportedCode | null {
  return (
    doubtful &&
    new UnsupportedCode(
      doubtful,
      `the addresses of the contract begin with \`${prefix}\`, and this base URL may not end with it`,
      "check that calls have the same addresses as before",
    )
  );
}

/** Prints the property `baseUrl` without the prefix of the contract. */
export function readBaseUrl(
  { node, value }: NamedProperty,
  { prefix }: Base,
  { edits, file }: CodeChange,
): NewOptions {
  const { checker, compiler } = file.lookup;
  const type = checker.getTypeAtLocation(value);
  const canLack =
    type.isUnion() &&
    type.types.some(
      ({ flags }) => (flags & compiler.TypeFlags.Undefined) !== 0,
    );
  const old = edits.slice(value);
  const whole = canLack ? `${old} ?? ""` : old;
  if (prefix === "") {
    const text = canLack ? `baseUrl: ${whole}` : edits.slice(node);
    return { text, doubtful: null };
  }
  const isText =
    compiler.isStringLiteralLike(value) || compiler.isTemplateExpression(value);
  const quote = old.at(-1) ?? "";
  const ending = [`${prefix}${quote}`, `${prefix}/${quote}`].find(
    (each) => isText && old.endsWith(each),
  );
  if (ending !== undefined) {
    const text = `baseUrl: ${old.slice(0, -ending.length)}${quote}`;
    return { text, doubtful: null };
  }
  if (isText) return { text: edits.slice(node), doubtful: value };
  const isSimple = compiler.isLeftHandSideExpression(value) && !canLack;
  const pattern = prefix.replaceAll(/[\\/^$.*+?()[\]{}|]/gu, "\\$&");
  return {
    text: `baseUrl: ${isSimple ? whole : `(${whole})`}.replace(/${pattern}\\/?$/u, "")`,
    doubtful: value,
  };
}
