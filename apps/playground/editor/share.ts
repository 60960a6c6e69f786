/** The documents of the page, in the order of their tabs. */
export type Documents = readonly (readonly [path: string, text: string])[];

/** Maximum size of the JSON of a link's documents, in bytes. */
const maxBytes = 1_000_000;

/** Maximum number of documents in a link. */
const maxDocuments = 50;

/**
 * Encodes documents as the fragment of a link: compressed JSON in base64url.
 * Returns null if they are too many or too large.
 */
export async function toFragment(documents: Documents): Promise<string | null> {
  const json = new Blob([JSON.stringify(documents)]);
  if (documents.length > maxDocuments || json.size > maxBytes) return null;
  const packed = json
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replace(/[+/=]/gu, (each) => urlSafe[each] ?? "");
}

const urlSafe: Readonly<Record<string, string>> = { "+": "-", "/": "_" };

/**
 * Decodes documents from the fragment of a link. Returns null if it is invalid.
 */
export async function fromFragment(
  fragment: string,
): Promise<Documents | null> {
  try {
    const text = atob(fragment.replace(/-/gu, "+").replace(/_/gu, "/"));
    const bytes = Uint8Array.from(text, (each) => each.charCodeAt(0));
    const unpacked = new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"));
    return toDocuments(JSON.parse(await readSome(unpacked)));
  } catch {
    return null;
  }
}

/**
 * Reads a text of at most {@link maxBytes}, because a short link can expand to
 * a very long one.
 *
 * Errors: RangeError if the text is longer; any error from the stream.
 */
async function readSome(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = "";
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text;
    size += value.length;
    if (size > maxBytes)
      throw new RangeError("the documents in the link are too large");
    text += decoder.decode(value, { stream: true });
  }
}

function toDocuments(value: unknown): Documents | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  if (value.length > maxDocuments) return null;
  const documents = value.flatMap((each: unknown) => {
    const [path, text]: readonly unknown[] = Array.isArray(each) ? each : [];
    const isDocument = typeof path === "string" && typeof text === "string";
    return isDocument ? [[path, text] as const] : [];
  });
  return documents.length === value.length ? documents : null;
}
