/**
 * Maximum number of bytes to read and discard, so that the client can still read
 * the response and use its connection again.
 */
export const maxDiscardedBytes: number = 8 * 1024 * 1024;

/** How long a response waits for the rest of the body, in milliseconds. */
const holdMs = 1000;

/** How long to keep discarding after the response, in milliseconds. */
const discardMs = 10_000;

/** Maximum length of a body that is discarded without creating a stream. */
const maxWholeBytes = 64 * 1024;

/** What a shorter chunk counts, because each of them costs time, in bytes. */
const minChunkBytes = 1024;

/**
 * The rest of a request body, which nobody will read. If it stayed unread, some
 * hosts would not serve the next request of the connection, and others would
 * close the connection before the client has read the response.
 */
export class UnreadBody {
  readonly #request: Request;
  readonly #declaredBytes: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | null;
  readonly #maxBytes: number;

  /**
   * Input: the declared length, or NaN; the reader, or null if there is none
   * yet; and the maximum number of bytes to discard.
   */
  constructor(
    request: Request,
    declaredBytes: number,
    reader: ReadableStreamDefaultReader<Uint8Array> | null,
    maxBytes: number,
  ) {
    this.#request = request;
    this.#declaredBytes = declaredBytes;
    this.#reader = reader;
    this.#maxBytes = maxBytes;
  }

  /**
   * Discards the body. Resolves when all of it has been read, and after a second
   * at the latest. Never rejects.
   */
  async discard(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, holdMs);
    });
    await Promise.race([this.#readAll().catch(() => {}), late]);
    clearTimeout(timer);
  }

  async #readAll(): Promise<void> {
    const request = this.#request;
    if (this.#reader === null) {
      if (this.#declaredBytes === 0 || request.bodyUsed) return;
      if (this.#declaredBytes <= maxWholeBytes) {
        await request.arrayBuffer();
        return;
      }
    }
    const reader = this.#reader ?? request.body?.getReader();
    if (reader === undefined) return;
    const cancel = (): void => void reader.cancel().catch(() => {});
    const timer = setTimeout(cancel, discardMs);
    try {
      for (let left = this.#maxBytes; left > 0;) {
        const { done, value } = await reader.read();
        if (done) return;
        left -= Math.max(value.byteLength, minChunkBytes);
      }
    } finally {
      clearTimeout(timer);
    }
    // Some hosts would close the connection at once, so respond first.
    setTimeout(cancel, holdMs);
  }
}
