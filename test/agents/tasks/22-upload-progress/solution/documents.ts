import { createDocumentsServer } from "./generated/server.js";
import { write } from "./store.js";

async function store(
  name: string,
  position: number,
  content: { stream(): ReadableStream<Uint8Array> },
): Promise<{ readonly bytes: number }> {
  const body = await new Response(content.stream()).arrayBuffer();
  write(name, position, new Uint8Array(body));
  return { bytes: position + body.byteLength };
}

export const documents = createDocumentsServer({
  maxUploadBytes: 16 * 1024 * 1024,
  handlers: {
    documents: {
      upload: ({ name, content }) => store(name, 0, content),
      uploadPart: ({ name, position, content }) =>
        store(name, position, content),
    },
  },
});
