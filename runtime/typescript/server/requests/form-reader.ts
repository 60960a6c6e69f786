import { encodeUtf8 } from "../../values/utf8.js";
import {
  dispositionParameter,
  extendedFileName,
} from "../../wire/disposition.js";
import type { RpcError } from "../../wire/errors.js";
import { badRequest } from "./rejection.js";

/** The headers of a part of a form. */
export interface PartHead {
  readonly name: string;
  /** File name, or null if the part is not a file. */
  readonly fileName: string | null;
  /** Media type according to the sender. */
  readonly type: string;
}

/**
 * Maximum length of a part's headers in bytes. The headers contain only names
 * and a media type.
 */
const maxHeadBytes = 16 * 1024;

/** Maximum length of a boundary (RFC 2046, section 5.1.1). */
const maxBoundary = 70;

/** Maximum number of parts, the same as in Go. Each part takes about 1 kB. */
const maxParts = 1000;

const carriageReturn = 13;

/**
 * Reads `multipart/form-data` (RFC 7578) as it arrives, part by part and piece
 * by piece. Keeps only one piece in memory.
 *
 * Errors of its constructor and methods: `WebrpcBadRequest` if the body is not
 * a valid form, and any error from the chunks.
 */
export class FormReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** The delimiter before every part and after the last one. */
  readonly #delimiter: Uint8Array;
  // The first delimiter is not preceded by a line break, unlike the others.
  #store: Uint8Array = encodeUtf8("\r\n");
  /** The part of the store that was received but not taken. */
  #buffer: Uint8Array = this.#store;
  /** Whether the current part has been read to its end. */
  #isRead = false;
  #partCount = 0;

  /** Input: the `Content-Type` header and the body. */
  constructor(contentType: string, body: AsyncIterable<Uint8Array>) {
    const [, quoted, plain = ""] =
      /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/iu.exec(contentType) ?? [];
    const boundary = quoted ?? plain;
    if (boundary === "" || boundary.length > maxBoundary) throw noForm();
    this.#delimiter = encodeUtf8(`\r\n--${boundary}`);
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /**
   * Skips the rest of the current part. Returns the next part, or null at the
   * end.
   */
  async next(): Promise<PartHead | null> {
    while ((await this.read()) !== null);
    await this.#fill(2);
    if (this.#startsWith("--")) return null;
    this.#partCount += 1;
    if (this.#partCount > maxParts) {
      throw badRequest(`body: expected at most ${maxParts} parts`);
    }
    // This also finds the end if there are no headers.
    const end = await this.#find(encodeUtf8("\r\n\r\n"), maxHeadBytes);
    const head = new TextDecoder().decode(this.#take(end + 4));
    this.#isRead = false;
    return readHead(head);
  }

  /** Returns the next piece of the current part, or null at its end. */
  async read(): Promise<Uint8Array | null> {
    if (this.#isRead) return null;
    const { length } = this.#delimiter;
    await this.#fill(length);
    const end = indexOf(this.#buffer, this.#delimiter);
    if (end === -1) return this.#take(this.#buffer.length - length + 1);
    const piece = this.#take(end);
    this.#take(length);
    this.#isRead = true;
    return piece.length > 0 ? piece : null;
  }

  /** Leaves the rest of the body unread. */
  cancel(): void {
    this.#chunks.return?.().catch(() => {});
  }

  async #find(wanted: Uint8Array, maxBytes: number): Promise<number> {
    let searched = 0;
    for (;;) {
      const at = indexOf(this.#buffer, wanted, searched);
      const { length } = this.#buffer;
      searched = at === -1 ? Math.max(0, length - wanted.length + 1) : at;
      if (searched > maxBytes) throw noForm();
      if (at !== -1) return at;
      await this.#fill(length + 1);
    }
  }

  /** Reads until this many bytes are available. */
  async #fill(byteLength: number): Promise<void> {
    while (this.#buffer.length < byteLength) {
      const { done, value } = await this.#chunks.next();
      if (done === true) throw noForm();
      this.#append(value);
    }
  }

  /**
   * Adds bytes to the buffer. Never overwrites bytes that were taken, and moves
   * the others only once there are as many new ones.
   */
  #append(bytes: Uint8Array): void {
    const { byteOffset, length } = this.#buffer;
    let start = byteOffset - this.#store.byteOffset;
    if (start + length + bytes.length > this.#store.length) {
      this.#store = new Uint8Array(2 * length + bytes.length);
      this.#store.set(this.#buffer);
      start = 0;
    }
    this.#store.set(bytes, start + length);
    this.#buffer = this.#store.subarray(start, start + length + bytes.length);
  }

  #take(byteLength: number): Uint8Array {
    const taken = this.#buffer.subarray(0, byteLength);
    this.#buffer = this.#buffer.subarray(byteLength);
    return taken;
  }

  #startsWith(text: string): boolean {
    return encodeUtf8(text).every(
      (byte, index) => this.#buffer[index] === byte,
    );
  }
}

/** Creates the error for a body that is not a valid form. */
function noForm(): RpcError {
  return badRequest("body: expected multipart/form-data");
}

/** How many bytes to look at one by one before the next native search. */
const stride = 32;

/**
 * Returns the first index of `wanted` that is at least `from`, or -1 if it is
 * absent. Takes a few nanoseconds a byte, even if every byte looks like the
 * start.
 *
 * Input: `wanted` starts with a line break, and starts in it overlap by at most
 * that.
 */
function indexOf(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  const last = bytes.length - wanted.length;
  const second = wanted[1];
  let at = bytes.indexOf(carriageReturn, from);
  while (at !== -1 && at <= last) {
    const near = Math.min(at + stride, last);
    for (; at <= near; at += 1) {
      if (bytes[at] !== carriageReturn || bytes[at + 1] !== second) continue;
      if (startsAt(bytes, wanted, at)) return at;
    }
    at = bytes.indexOf(carriageReturn, at);
  }
  return -1;
}

function startsAt(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  for (let index = 2; index < wanted.length; index += 1) {
    if (bytes[at + index] !== wanted[index]) return false;
  }
  return true;
}

/** Match the first line of each header of a part that matters. */
const dispositionLine = /\r\ncontent-disposition:(.*?)\r\n/isu;
const typeLine = /\r\ncontent-type:(.*?)\r\n/isu;

/**
 * Reads the headers of a part. Input: the text from after the delimiter to the
 * empty line.
 */
function readHead(text: string): PartHead {
  const valueOf = (line: RegExp): string => line.exec(text)?.[1]?.trim() ?? "";
  const disposition = valueOf(dispositionLine);
  const name = parameterOf(disposition, "name");
  const padding = text.slice(0, text.indexOf("\r\n"));
  if (padding.trim() !== "" || name === null) throw noForm();
  return {
    name,
    fileName:
      extendedFileName(disposition) ?? parameterOf(disposition, "filename"),
    type: valueOf(typeLine) || "application/octet-stream",
  };
}

/** Returns a decoded parameter. Browsers write `%22` for a quote in a name. */
function parameterOf(disposition: string, name: string): string | null {
  const value = dispositionParameter(disposition, name);
  if (value === null) return null;
  return value
    .replaceAll("%22", '"')
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n");
}
