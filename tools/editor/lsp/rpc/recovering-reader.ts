/** A JSON-RPC message. Only its form has been checked. */
export interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
}

/**
 * Reads the messages of a stream. Bytes that are not a message are reported as
 * faults and skipped up to the next header.
 */
export class RecoveringReader {
  readonly #onMessage: (message: RpcMessage) => void;
  readonly #onFault: (fault: string) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The last bytes, which may be the start of a header's end. */
  #tail = "";
  /**
   * Length of the incomplete message and its header in bytes, or 0 if there is
   * none.
   */
  #needed = 0;

  constructor(
    onMessage: (message: RpcMessage) => void,
    onFault: (fault: string) => void,
  ) {
    this.#onMessage = onMessage;
    this.#onFault = onFault;
  }

  /** Reads the next bytes. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const seen = this.#tail + chunk.toString("latin1");
    this.#tail = seen.slice(-3);
    // Joining the chunks of a long message every time would be quadratic.
    if (this.#size < this.#needed && !seen.includes("\r\n\r\n")) return;
    const bytes = Buffer.concat(this.#chunks);
    const rest = bytes.subarray(this.#readAll(bytes));
    this.#chunks = [rest];
    this.#size = rest.length;
  }

  /** Passes on all complete messages. Returns the number of processed bytes. */
  #readAll(bytes: Buffer): number {
    const text = bytes.toString("latin1");
    this.#needed = 0;
    for (let at = 0; ;) {
      const header = findHeader(text, at);
      if (header === null) return at;
      const skipped = header.start - at;
      if (skipped > 0)
        this.#onFault(`skipped bytes without a header: ${skipped}`);
      at = header.end + header.length;
      const isComplete = at <= bytes.length;
      const message = isComplete ? parse(bytes.subarray(header.end, at)) : null;
      if (message !== null) {
        this.#onMessage(message);
        continue;
      }
      // JSON cannot contain a header, so the message ends before the next one.
      const next = findHeader(text, header.end);
      if (next === null && !isComplete) {
        this.#needed = at - header.start;
        return header.start;
      }
      this.#onFault("skipped a message that is not a JSON-RPC object");
      at = next?.start ?? at;
    }
  }
}

/** The lines before a message. Offsets count bytes. */
interface Header {
  readonly start: number;
  readonly end: number;
  /** Length of the message that follows. */
  readonly length: number;
}

function findHeader(text: string, from: number): Header | null {
  const pattern =
    /(?:content-type:[^\r\n]*\r\n)?content-length:[ \t]*(\d+)[ \t]*\r\n(?:[\w-]+:[^\r\n]*\r\n)*\r\n/giu;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  if (match === null) return null;
  return {
    start: match.index,
    end: pattern.lastIndex,
    length: Number(match[1]),
  };
}

/** Parses a message. Returns null if it is not a JSON-RPC object. */
function parse(body: Buffer): RpcMessage | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is RpcMessage {
  if (typeof value !== "object" || value === null) return false;
  const { id, jsonrpc, method }: Record<string, unknown> = { ...value };
  // A message without a method is a response to a request. Responses may have a
  // null ID.
  const isAnswer = method === undefined;
  const isRequest =
    typeof method === "string" &&
    (id === undefined || typeof id === "string" || typeof id === "number");
  return jsonrpc !== undefined && (isAnswer || isRequest);
}
