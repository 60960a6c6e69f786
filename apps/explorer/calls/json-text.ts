/**
 * JSON that preserves the digits of numbers, which `JSON.parse` can round, and
 * that can contain names such as `__proto__`.
 */
export type JsonNode =
  /** A number, `true`, `false` or `null`, as written. */
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly JsonNode[] }
  | {
      readonly kind: "object";
      readonly entries: readonly (readonly [string, JsonNode])[];
    };

/** The result of parsing text. */
export type ParsedJson =
  | { readonly isValid: true; readonly node: JsonNode }
  /** The browser's error message. */
  | { readonly isValid: false; readonly problem: string };

/** JSON `null`. */
export const jsonNull: JsonNode = { kind: "literal", text: "null" };

/** Parses JSON. Never throws: the result says whether the JSON is valid. */
export function parseJson(text: string): ParsedJson {
  try {
    JSON.parse(text);
    return { isValid: true, node: new Reader(text).read() };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { isValid: false, problem };
  }
}

/** Parses JSON. Returns null if it is invalid. */
export function readJson(text: string): JsonNode | null {
  const parsed = parseJson(text);
  return parsed.isValid ? parsed.node : null;
}

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\[^])*")|([^\s{}[\],:"]+))/gy;

/** Printing deeper values could exceed the size of the call stack. */
const maxDepth = 500;

/** Reads text that is valid JSON. */
class Reader {
  readonly #tokens: string[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = Array.from(
      text.matchAll(token),
      ([, mark, string, literal]) => mark ?? string ?? literal ?? "",
    );
  }

  read(depth = 1): JsonNode {
    if (depth > maxDepth) {
      throw new RangeError(`it is nested more than ${maxDepth} levels deep`);
    }
    const text = this.#take();
    if (text === "[") return { kind: "list", items: this.#items(depth + 1) };
    if (text === "{") {
      return { kind: "object", entries: this.#entries(depth + 1) };
    }
    if (!text.startsWith('"')) return { kind: "literal", text };
    return { kind: "string", value: unquote(text) };
  }

  #items(depth: number): readonly JsonNode[] {
    const items: JsonNode[] = [];
    while (!this.#ends("]")) items.push(this.read(depth));
    return items;
  }

  #entries(depth: number): readonly (readonly [string, JsonNode])[] {
    const entries = new Map<string, JsonNode>();
    while (!this.#ends("}")) {
      const key = unquote(this.#take());
      this.#next += 1;
      // The last value of a repeated key wins, as in `JSON.parse`.
      entries.set(key, this.read(depth));
    }
    return [...entries];
  }

  /** Consumes a comma or the closing mark. Returns whether it was the mark. */
  #ends(mark: string): boolean {
    const text = this.#tokens[this.#next];
    if (text === mark || text === ",") this.#next += 1;
    return text === mark;
  }

  #take(): string {
    const text = this.#tokens[this.#next] ?? "";
    this.#next += 1;
    return text;
  }
}

function unquote(text: string): string {
  return String(JSON.parse(text));
}

/** The kind of a piece of printed JSON, which determines its color. */
export type PieceKind = "key" | "string" | "literal" | "mark";

/** A piece of printed JSON. */
export type Piece = readonly [kind: PieceKind, text: string];

/** Prints JSON on one line. */
export function printFlat(node: JsonNode): string {
  switch (node.kind) {
    case "literal":
      return node.text;
    case "string":
      return JSON.stringify(node.value);
    case "list":
      return `[${node.items.map(printFlat).join(",")}]`;
    case "object": {
      const entries = node.entries.map(
        ([key, value]) => `${JSON.stringify(key)}:${printFlat(value)}`,
      );
      return `{${entries.join(",")}}`;
    }
  }
}

/** Prints JSON on several lines. */
export function printJson(node: JsonNode): string {
  return printPieces(node)
    .map(([, text]) => text)
    .join("");
}

const maxLine = 60;

/**
 * Prints JSON in pieces, on several lines. Short lists of scalars are printed
 * on one line.
 */
export function printPieces(node: JsonNode, depth = 0): readonly Piece[] {
  switch (node.kind) {
    case "literal":
      return [["literal", node.text]];
    case "string":
      return [["string", JSON.stringify(node.value)]];
    case "list":
      return printMembers(
        "[]",
        isShort(node.items),
        depth,
        node.items,
        (item) => printPieces(item, depth + 1),
      );
    case "object":
      return printMembers("{}", false, depth, node.entries, ([key, value]) => [
        ["key", JSON.stringify(key)],
        ["mark", ": "],
        ...printPieces(value, depth + 1),
      ]);
  }
}

function isShort(items: readonly JsonNode[]): boolean {
  const isPlain = items.every(
    ({ kind }) => kind === "literal" || kind === "string",
  );
  return isPlain && items.map(printFlat).join(", ").length <= maxLine;
}

function printMembers<Member>(
  brackets: string,
  isFlat: boolean,
  depth: number,
  members: readonly Member[],
  print: (member: Member) => readonly Piece[],
): readonly Piece[] {
  const [open = "", close = ""] = brackets;
  if (members.length === 0) return [["mark", open + close]];
  const line = isFlat ? "" : `\n${"  ".repeat(depth + 1)}`;
  const between = isFlat ? " " : line;
  const pieces: Piece[] = [["mark", open + line]];
  members.forEach((member, index) => {
    if (index > 0) pieces.push(["mark", `,${between}`]);
    for (const piece of print(member)) pieces.push(piece);
  });
  pieces.push(["mark", isFlat ? close : `\n${"  ".repeat(depth)}${close}`]);
  return pieces;
}
