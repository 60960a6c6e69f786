import { endLine } from "./stream-end.js";

/** The media type of server-sent events. */
export const eventType = "text/event-stream";

/** The kinds of fields in an event that have a meaning here. */
type Field = "data" | "event" | "status";

const fields: ReadonlySet<string> = new Set<Field>(["data", "event", "status"]);

function isField(name: string): name is Field {
  return fields.has(name);
}

/** The longest name of a field, and of an event or a status that is kept. */
const maxWordLength = 64;

const lineFeed = 10;
const carriageReturn = 13;

/** The data with which some servers end a stream. */
const done = "[DONE]";

/**
 * Converts server-sent events to lines, piece by piece, as the HTML standard
 * parses them. Each event with data becomes a line with its data and a suffix: `i`
 * for an item, or `e`, the status and `!` for an error. Keeps almost nothing of
 * an event, so the reader of the lines limits its size.
 */
export class EventLines {
  /** Whether the end has been read, after which nothing counts. */
  isDone = false;
  readonly #isEnded: boolean;
  /** The name of the field, or null while it is incomplete. */
  #field: string | null = null;
  /** The part of the name, or of a short value, that has been read. */
  #word = "";
  #name = "";
  #status = "";
  /**
   * The data without white space around it if there is little of it. Null once it
   * has been returned.
   */
  #start: string | null = "";
  #hasData = false;
  #endsWithReturn = false;

  /** Input: whether an event named `end` without data is the end. */
  constructor(isEnded: boolean) {
    this.#isEnded = isEnded;
  }

  /** Returns the text of the lines that a piece of the body adds. */
  add(text: string): string {
    if (text === "") return "";
    const isInPair = this.#endsWithReturn && text.startsWith("\n");
    this.#endsWithReturn = text.endsWith("\r");
    const body = text
      .slice(isInPair ? 1 : 0)
      // The first blank line ends an event, and the others have no meaning.
      .replace(/[\r\n]{3,}/gu, "\n\n");
    const lines = text.includes("\r") ? splitLines(body) : body.split("\n");
    let added = this.#take(lines.shift() ?? "");
    for (const line of lines) {
      if (this.isDone) break;
      added += this.#endLine();
      if (!this.isDone) added += this.#take(line);
    }
    return added;
  }

  /**
   * Returns the end of the lines when the body ends: what makes the last one
   * incomplete if the body ends within an event, and nothing if the end is missing.
   */
  end(): string {
    if (this.isDone || this.#start === done) return endLine;
    const isWithin = this.#hasData || (this.#field ?? this.#word) !== "";
    if (isWithin) return "{";
    return this.#isEnded ? "" : endLine;
  }

  /** Reads a part of a line. */
  #take(part: string): string {
    if (this.#field === "data") return this.#addData(part);
    if (this.#field !== null) {
      this.#word += part.slice(0, maxWordLength - this.#word.length);
      return "";
    }
    const colon = part.indexOf(":");
    const name = colon < 0 ? part : part.slice(0, colon);
    this.#word += name.slice(0, maxWordLength - this.#word.length);
    if (colon < 0) return "";
    this.#field = this.#word;
    this.#word = "";
    const begin = this.#field === "data" ? this.#beginData() : "";
    return begin + this.#take(part.slice(colon + 1));
  }

  #endLine(): string {
    const word = this.#word;
    const field = this.#field ?? word;
    const isColonless = this.#field === null;
    this.#field = null;
    this.#word = "";
    if (field === "" && isColonless) return this.#endEvent();
    if (!isField(field)) return "";
    const value = isColonless ? "" : word.replace(/^ /u, "");
    switch (field) {
      case "data":
        return isColonless ? this.#beginData() : "";
      case "event":
        this.#name = value;
        return "";
      case "status":
        this.#status = value;
        return "";
    }
  }

  /** Several lines of data are one text, whose line ends are white space. */
  #beginData(): string {
    const isNext = this.#hasData;
    this.#hasData = true;
    return isNext && this.#start !== "" ? this.#addData("\r") : "";
  }

  #addData(part: string): string {
    if (this.#start === null || part === "") return part;
    // White space of any length around the data has no meaning.
    const start = (this.#start + part)
      .replace(/^[ \t\r]+/, "")
      .replace(/^(\[DONE\])[ \t\r]+/, "$1");
    const isShort = start.length <= maxWordLength;
    this.#start = isShort ? start : null;
    return isShort ? "" : spaced(start);
  }

  #endEvent(): string {
    const start = this.#start ?? "";
    const isError = this.#name === "error";
    this.isDone = this.#isEnded && !this.#hasData && this.#name === "end";
    const status = /^\d{3}$/.test(this.#status) ? this.#status : "";
    const suffix = isError ? `e${status}!` : "i";
    const hasAll = this.#start !== null;
    const hasData = this.#hasData;
    this.#start = "";
    this.#name = this.#status = "";
    this.#hasData = false;
    if (!hasData) return "";
    const isEmpty = hasAll && start === "" && !isError;
    this.isDone = start === done;
    if (this.isDone || isEmpty) return "";
    return `${hasAll ? spaced(start) : ""}${suffix}\n`;
  }
}

/**
 * Splits a text at line feeds, carriage returns, and pairs of both. A pattern takes
 * twice as long for short lines.
 */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== lineFeed && code !== carriageReturn) continue;
    lines.push(text.slice(start, at));
    if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed)
      at += 1;
    start = at + 1;
  }
  lines.push(text.slice(start));
  return lines;
}

/** Returns data that readers do not skip a byte order mark of. */
function spaced(data: string): string {
  return ` ${data}`;
}
