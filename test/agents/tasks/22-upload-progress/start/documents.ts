import { createDocumentsServer } from "./generated/server.js";
import { write } from "./store.js";

export const documents = createDocumentsServer({
  maxUploadBytes: 16 * 1024 * 1024,
  handlers: {
    documents: {
      async upload({ name, content }) {
        const body = await new Response(content.stream()).arrayBuffer();
        write(name, 0, new Uint8Array(body));
        return { bytes: body.byteLength };
      },
    },
  },
});
