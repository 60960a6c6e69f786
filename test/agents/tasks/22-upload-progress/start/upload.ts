import { createDocumentsClient } from "./generated/client.js";

/** Uploads a document. Calls `onProgress` with its bytes that have arrived. */
export async function upload(
  fetch: typeof globalThis.fetch,
  name: string,
  content: Blob,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const documents = createDocumentsClient({
    baseUrl: "http://localhost",
    fetch,
  });
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
  const stream = () => content.stream().pipeThrough(counter);
  await documents.upload({ name, content: { type: content.type, stream } });
}
