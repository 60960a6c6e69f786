import { widthOf, type Doc } from "../text/format.js";
import { linesObjectOf } from "../text/shapes.js";
import type { LayOut } from "../text/statements.js";

/** A call in parts that is the value of a constant. */
export interface CallParts {
  /** Local name of `rpc`, `get` or `webhook`. */
  readonly callee: string;
  /** First argument as a string literal; null when there is none. */
  readonly path: string | null;
  /** Properties of the last argument; no argument when empty. */
  readonly entries: readonly Doc[];
}

const width = 80;

/**
 * `export const name: Type<…> = /* @__PURE__ *\/ rpc("path", { … })`, broken
 * where Prettier breaks it. Written out because a call's last argument opens on
 * the line of the call only if the arguments before it fit there.
 *
 * Input: what comes before ` =`; what lays out as the file has it.
 */
export function assignCall(
  start: Doc,
  parts: CallParts,
  layOut: LayOut,
): string {
  const { callee } = parts;
  const head = layOut([start, " ="]);
  const opening = `/* @__PURE__ */ ${callee}(`;
  const flat = flatArguments(parts);
  if (flat !== null && fits(`${head} ${opening}${flat});`)) {
    return `${head} ${opening}${flat})`;
  }
  const isBelow =
    !head.includes("\n") &&
    (isTooShortToBreak(flat) || !fits(`${head} ${opening}`));
  const lastLine = head.slice(head.lastIndexOf("\n") + 1);
  const before = isBelow ? "  " : `${lastLine} `;
  const call = emitArguments(parts, before + opening, isBelow ? 2 : 0, layOut);
  return `${head}${isBelow ? "\n  " : " "}${opening}${call}`;
}

/**
 * `export const name: Type<…> = { … }`, the object below when the line of the
 * name has no room for its brace.
 */
export function assignObject(
  start: Doc,
  entries: readonly Doc[],
  layOut: LayOut,
): string {
  const head = layOut([start, " ="]);
  const isBelow = !head.includes("\n") && !fits(`${head} {`);
  const indentation = isBelow ? 2 : 0;
  const object = objectAt(entries, indentation, layOut);
  return `${head}${isBelow ? "\n  " : " "}${object}`;
}

/** What follows the opening parenthesis. */
function emitArguments(
  parts: CallParts,
  before: string,
  indentation: number,
  layOut: LayOut,
): string {
  const { entries, path } = parts;
  const pad = " ".repeat(indentation);
  const flat = flatArguments(parts);
  if (flat !== null && fits(`${before}${flat});`)) return `${flat})`;
  const hugged = path === null ? "" : `${path}, `;
  if (entries.length > 0 && fits(`${before}${hugged}{`)) {
    return `${hugged}${objectAt(entries, indentation, layOut)})`;
  }
  const args = [
    ...(path === null ? [] : [path]),
    ...(entries.length === 0
      ? []
      : [objectAt(entries, indentation + 2, layOut)]),
  ];
  const lines = args.map((arg) => `${pad}  ${arg},\n`).join("");
  return `\n${lines}${pad})`;
}

/** Arguments that Prettier would rather not put on lines of their own. */
function isTooShortToBreak(flat: string | null): boolean {
  return flat !== null && widthOf(flat) <= width / 4;
}

/** All arguments in one line; null when there is an object to open. */
function flatArguments({ entries, path }: CallParts): string | null {
  return entries.length === 0 ? (path ?? "") : null;
}

function objectAt(
  entries: readonly Doc[],
  indentation: number,
  layOut: LayOut,
): string {
  const text = layOut(linesObjectOf(entries), indentation);
  return text.replaceAll("\n", `\n${" ".repeat(indentation)}`);
}

function fits(text: string): boolean {
  return widthOf(text.slice(text.lastIndexOf("\n") + 1)) <= width;
}
