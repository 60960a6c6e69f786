/** Number of chunks to collect before they are joined. */
const maxLoose = 1000;

/**
 * Collects the chunks of a body. A chunk takes hundreds of bytes of memory even
 * if it contains a single one, so many small chunks are joined early.
 */
export class Chunks {
  byteLength = 0;
  readonly #chunks: Uint8Array[] = [];
  /** Number of chunks at the start of the list that are already joined. */
  #joinedCount = 0;

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.byteLength += chunk.byteLength;
    if (this.#chunks.length - this.#joinedCount < maxLoose) return;
    const loose = this.#chunks.splice(this.#joinedCount);
    this.#chunks.push(joinChunks(loose));
    this.#joinedCount += 1;
  }

  /** Returns all chunks joined in order. */
  join(): Uint8Array {
    return joinChunks(this.#chunks);
  }
}

/** Returns chunks joined in order. A single chunk is not copied. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  let byteLength = 0;
  for (const chunk of chunks) byteLength += chunk.byteLength;
  const whole = new Uint8Array(byteLength);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
