import type { ClientCase } from "./client-case.js";

/** A stream and what a client reads from it: a line of `line-cases.jsonl` or `event-cases.jsonl`. */
export interface StreamCase {
  readonly name: string;
  /** What not every language can do, beside reading streams. */
  readonly needs?: readonly string[];
  /** Whether the response announces an end. Default: both are tried. */
  readonly isEnded?: boolean;
  /** Whether each character of the body is a byte. */
  readonly isBytes?: boolean;
  readonly body: string;
  readonly items: readonly unknown[];
  /** The reason or the error that ends the stream, or null. */
  readonly end: string | Readonly<Record<string, unknown>> | null;
}

/** Returns the calls that read streams of lines. */
export function callsOfLines(cases: readonly StreamCase[]): ClientCase[] {
  return cases.flatMap((each) =>
    [false, true]
      .filter((isEnded) => isEnded === (each.isEnded ?? isEnded))
      .map((isEnded) => ({
        name: `client lines: ${each.name}${isEnded ? ", with an end" : ""}`,
        service: "Lines",
        method: "Members",
        needs: ["streams", ...(each.needs ?? [])],
        items: each.items,
        ...outcomeOf(each, "Application/X-NDJSON", isEnded),
      })),
  );
}

/** Returns the calls that read server-sent events. */
export function callsOfEvents(cases: readonly StreamCase[]): ClientCase[] {
  return cases.map((each) => ({
    name: `client events: ${each.name}`,
    service: "Ticks",
    method: "Tick",
    needs: ["server-sent events", ...(each.needs ?? [])],
    request: { id: "a" },
    sent: [{ verb: "GET", target: "/ticks/a" }],
    items: each.items.map((tick) => ({ tick })),
    ...outcomeOf(each, "Text/Event-Stream; charset=utf-8", each.isEnded),
  }));
}

function outcomeOf(
  { body: text, end, isBytes }: StreamCase,
  type: string,
  isEnded = false,
): Pick<ClientCase, "error" | "response"> {
  const body = isBytes
    ? [{ base64: Buffer.from(text, "latin1").toString("base64") }]
    : text;
  const headers = { "content-type": isEnded ? `${type};end=1` : type };
  return {
    response: { status: 200, headers, body },
    ...(end !== null && {
      error: typeof end === "string" ? { reason: end } : end,
    }),
  };
}
