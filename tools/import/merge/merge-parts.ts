import type { MergeableEntry } from "./entries.js";
import type { Parts } from "./parts.js";

/** Something that a person and the document changed in different ways. */
export interface PartConflict {
  /** What it is, e.g. `type` or `+ maxLength`. */
  readonly part: string;
  /** What the document says, or null if it says nothing. */
  readonly incoming: string | null;
}

/** Parts of three versions that became one. */
export interface MergedParts {
  readonly parts: Parts;
  /** The parts where the person's text was kept. */
  readonly conflicts: readonly PartConflict[];
}

/**
 * Merges the parts of an entry: those that only the document changed are the
 * document's, and others are the person's.
 */
export function mergeParts(
  base: Parts,
  current: Parts,
  incoming: Parts,
): MergedParts {
  const parts = new Map<string, string>();
  const conflicts: PartConflict[] = [];
  for (const key of mergeOrder([...current.keys()], [...incoming.keys()])) {
    const [was, own, other] = [
      base.get(key),
      current.get(key),
      incoming.get(key),
    ];
    const isOwn = other === was || own !== was;
    if (isOwn && own !== other && other !== was) {
      conflicts.push({ part: key, incoming: other ?? null });
    }
    const chosen = isOwn ? own : other;
    if (chosen !== undefined) parts.set(key, chosen);
  }
  for (const message of ["request", "response"]) {
    if (!isContradictory(parts, message)) continue;
    const isPart = (key: string): boolean =>
      key === message || key.startsWith(`${message} `);
    for (const key of [...parts.keys()].filter(isPart)) parts.delete(key);
    for (const [key, text] of current) if (isPart(key)) parts.set(key, text);
    conflicts.push({
      part: message,
      incoming: `(${printMessage(incoming, message) ?? ""})`,
    });
  }
  return { parts, conflicts };
}

/** Whether a message is both a struct and a list of arguments, or neither. */
function isContradictory(parts: Parts, message: string): boolean {
  const head = parts.get(message);
  const hasArguments = [...parts.keys()].some((key) =>
    key.startsWith(`${message} `),
  );
  return hasArguments && head?.endsWith("()") !== true;
}

/**
 * Returns the keys of a person in their order, and each other key of the
 * document after the one that is before it there.
 */
export function mergeOrder(
  current: readonly string[],
  incoming: readonly string[],
): readonly string[] {
  const own = new Set(current);
  const after = new Map<string | null, string[]>();
  let previous: string | null = null;
  for (const key of incoming) {
    if (own.has(key)) previous = key;
    else after.set(previous, [...(after.get(previous) ?? []), key]);
  }
  return [
    ...(after.get(null) ?? []),
    ...current.flatMap((key) => [key, ...(after.get(key) ?? [])]),
  ];
}

/** Prints an entry, with an indentation for members. */
export function printParts(
  { kind, lines }: Pick<MergeableEntry, "kind" | "lines">,
  parts: Parts,
): readonly string[] {
  const isMember =
    kind === "method" || kind === "field" || kind === "enum-member";
  const margin = isMember ? "  " : "";
  const listed = (prefix: string): string[] =>
    [...parts].flatMap(([key, text]) => (key.startsWith(prefix) ? text : []));
  const annotations = listed("@");
  const comment = parts.get("comment");
  const trailing = parts.get("comment at its end");
  const head = printHead(kind, parts);
  // A person may have written each annotation on a line.
  const isApart =
    lines.filter((line) => line.trimStart().startsWith("@")).length > 1;
  const above = isApart ? annotations : [annotations.join(" ")];
  const own = trailing === undefined ? head : `${head} ${trailing}`;
  return [
    ...(comment === undefined ? [] : comment.split("\n")),
    ...(annotations.length === 0 ? [] : above),
    ...own.split("\n"),
    ...listed("+ ").map((text) => `  ${text}`),
  ].map((line) => margin + line);
}

function printHead(kind: MergeableEntry["kind"], parts: Parts): string {
  const part = (key: string): string => parts.get(key) ?? "";
  const name = part("name");
  switch (kind) {
    case "comment":
      return "";
    case "header":
      return `${name} = ${part("value")}`;
    case "import":
      return part("value");
    case "error": {
      const status = part("status") && ` HTTP ${part("status")}`;
      return `error ${part("code")} ${name} ${part("message")}${status}`;
    }
    case "enum": {
      const [keyword, base] = part("type").split(" ");
      return `${keyword} ${name}: ${base}`;
    }
    case "alias":
      return `type ${name}: ${part("type").replace(/^type /u, "")}`;
    case "struct":
      return `struct ${name}`;
    case "service":
      return `service ${name}`;
    case "enum-member":
      return `- ${name}${parts.has("value") ? ` = ${part("value")}` : ""}`;
    case "field":
      return `- ${name}${part("optional")}: ${part("type")}`;
    case "method":
      return printMethod(name, parts);
  }
}

function printMethod(name: string, parts: Parts): string {
  const request = printMessage(parts, "request");
  if (request === null) return `- ${name}`;
  const response = printMessage(parts, "response");
  const errors = [...parts].flatMap(([key, text]) =>
    key.startsWith("error ") ? text : [],
  );
  const stream = parts.get("request")?.startsWith("stream ") ? "stream " : "";
  const result = response === null ? "" : ` => ${streamOf(parts)}(${response})`;
  const clause = errors.length === 0 ? "" : ` errors ${errors.join(" | ")}`;
  return `- ${stream}${name}(${request})${result}${clause}`;
}

function streamOf(parts: Parts): string {
  return parts.get("response")?.startsWith("stream ") ? "stream " : "";
}

/** Prints what is between the parentheses of a message. */
function printMessage(parts: Parts, message: string): string | null {
  const head = parts.get(message);
  if (head === undefined) return null;
  const list = [...parts].flatMap(([key, text]) =>
    key.startsWith(`${message} `) ? text : [],
  );
  const struct = head.replace(/^stream /u, "");
  return struct === "()" ? list.join(", ") : struct;
}
