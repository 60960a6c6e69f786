const documents = new Map<string, Uint8Array>();

/**
 * Writes bytes into a document, from a position on. Removes what was there and
 * after it. A position of 0 begins a new document.
 */
export function write(name: string, position: number, bytes: Uint8Array): void {
  const before = contentOf(name).subarray(0, position);
  if (before.length < position) throw new Error(`${name} is too short`);
  const content = new Uint8Array(position + bytes.length);
  content.set(before);
  content.set(bytes, position);
  documents.set(name, content);
}

/** Returns what is stored of a document. */
export function contentOf(name: string): Uint8Array {
  return documents.get(name) ?? new Uint8Array();
}

/** Whether anything has been stored under this name, even no bytes. */
export function has(name: string): boolean {
  return documents.has(name);
}
