import { emptyPattern, type Pattern } from "./pattern.js";

/** The position of the parser, and the groups that it found. */
interface State {
  readonly source: string;
  offset: number;
  depth: number;
  /** Closed groups by number and by name, for `\1` and `\k<name>`. */
  readonly groups: Map<string, Group>;
  groupCount: number;
  /** Number of parts, including those that references repeat. */
  size: number;
}

interface Group {
  readonly item: Pattern;
  readonly size: number;
}

/** More deeply nested and longer expressions are not analyzed. */
const maxDepth = 200;
const maxLength = 4_000;
/** References to groups with references multiply the parts. */
const maxSize = 100_000;

const GROUP = /\((?:\?(?:<?[=!]|<(?<name>[^>]*)>|[a-z-]*:))?/uy;
const COUNT = /\{(?<min>[0-9]+)(?<comma>,)?(?<max>[0-9]*)\}/uy;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/uy;
/** What a backslash begins, of which sets contain only a part. */
export const ESCAPE =
  /\\(?:u[dD][89a-bA-B][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<(?<name>[^>]*)>|[1-9][0-9]*|[^])/uy;

/**
 * Parses a regular expression that is valid with the `u` flag. Returns null if
 * it is too large or too deeply nested to analyze.
 */
export function parsePattern(source: string): Pattern | null {
  if (source.length > maxLength) return null;
  const state: State = {
    source,
    offset: 0,
    depth: 0,
    groups: new Map(),
    groupCount: 0,
    size: 0,
  };
  return parseChoice(state);
}

function parseChoice(state: State): Pattern | null {
  const items: Pattern[] = [];
  for (;;) {
    const item = parseSequence(state);
    if (item === null) return null;
    items.push(item);
    if (state.source[state.offset] !== "|") break;
    state.offset += 1;
  }
  const [only] = items;
  return items.length === 1 && only ? only : { kind: "choice", items };
}

function parseSequence(state: State): Pattern | null {
  const items: Pattern[] = [];
  for (;;) {
    const next = state.source[state.offset];
    if (next === undefined || next === "|" || next === ")") break;
    const item = parseTerm(state);
    if (item === null) return null;
    items.push(parseRepetition(state, item));
  }
  return { kind: "sequence", items };
}

function parseTerm(state: State): Pattern | null {
  if (++state.size > maxSize) return null;
  const next = state.source[state.offset];
  switch (next) {
    case "(":
      return parseGroup(state);
    case "^":
    case "$":
      state.offset += 1;
      return { kind: "boundary", text: next };
    case "\\":
      return parseEscape(state);
    default:
      return { kind: "character", text: takeCharacter(state) };
  }
}

function takeCharacter(state: State): string {
  const set = take(state, CLASS);
  if (set) return set[0];
  const point = state.source.codePointAt(state.offset) ?? 0;
  const text = String.fromCodePoint(point);
  state.offset += text.length;
  return text;
}

function parseGroup(state: State): Pattern | null {
  const [opening = "(", name] = take(state, GROUP) ?? [];
  const isLook = /[=!]$/u.test(opening);
  const isCapture = opening === "(" || name !== undefined;
  const number = isCapture ? ++state.groupCount : 0;
  if (++state.depth > maxDepth) return null;
  const before = state.size;
  const item = parseChoice(state);
  const size = state.size - before;
  state.depth -= 1;
  state.offset += ")".length;
  if (item === null) return null;
  if (isCapture) state.groups.set(String(number), { item, size });
  if (name !== undefined) state.groups.set(name, { item, size });
  const isBehind = opening.startsWith("(?<");
  return isLook ? { kind: "look", item, isBehind } : item;
}

function parseEscape(state: State): Pattern | null {
  const match = take(state, ESCAPE);
  const text = match?.[0] ?? "\\";
  if (text === "\\b" || text === "\\B") return { kind: "boundary", text };
  const group = match?.groups?.["name"] ?? /^\\([1-9][0-9]*)$/u.exec(text)?.[1];
  if (group === undefined) return { kind: "character", text };
  // Approximates the group's match by its pattern, which also matches other
  // strings.
  const { item, size } = state.groups.get(group) ?? nothing;
  state.size += size;
  return state.size > maxSize ? null : item;
}

const nothing: Group = { item: emptyPattern, size: 0 };

function parseRepetition(state: State, item: Pattern): Pattern {
  const limits = takeLimits(state);
  if (limits === null) return item;
  if (state.source[state.offset] === "?") state.offset += 1;
  return { kind: "repetition", item, ...limits };
}

function takeLimits(
  state: State,
): { readonly min: number; readonly max: number } | null {
  const count = take(state, COUNT)?.groups;
  if (count) {
    const min = Number(count["min"]);
    if (count["comma"] === undefined) return { min, max: min };
    return { min, max: count["max"] ? Number(count["max"]) : Infinity };
  }
  const next = state.source[state.offset];
  if (next !== "*" && next !== "+" && next !== "?") return null;
  state.offset += 1;
  const min = next === "+" ? 1 : 0;
  return { min, max: next === "?" ? 1 : Infinity };
}

function take(state: State, expression: RegExp): RegExpExecArray | null {
  // Use a copy, because `lastIndex` would be shared state.
  const sticky = new RegExp(expression);
  sticky.lastIndex = state.offset;
  const match = sticky.exec(state.source);
  if (match) state.offset += match[0].length;
  return match;
}
