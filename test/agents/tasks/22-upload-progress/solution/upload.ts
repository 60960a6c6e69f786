import { retry } from "@ridlkit/runtime/interceptors";
import { createDocumentsClient } from "./generated/client.js";

const partSize = 1024 * 1024;

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
    use: [retry({ attempts: 3, backoffMs: 10 })],
  });
  let position = 0;
  do {
    const part = content.slice(position, position + partSize, content.type);
    const sent = { name, position, content: part };
    ({ bytes: position } = await documents.uploadPart(sent));
    onProgress(position);
  } while (position < content.size);
}
