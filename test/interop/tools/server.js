// The server that all clients call. Special values in requests, such as the
// text "sold", make it return errors.
import { once } from "node:events";
import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import {
  ForbiddenError,
  ItemNotFoundError,
  SoldError,
} from "./.work/generated/errors.js";
import { createShopServer } from "./.work/generated/server.js";

const items = new Map(
  [
    { id: 1, name: "SICP", kind: "book" },
    {
      id: 2,
      name: "Alien",
      kind: "film",
      parent: { id: 1, name: "SICP", kind: "book" },
    },
  ].map((item) => [item.id, item]),
);

/** Clients that cannot upload a picture download the first one. */
const pictures = new Map([["given", new Blob(["content"])]]);

function find(id) {
  const item = items.get(id);
  if (item === undefined) throw new ItemNotFoundError();
  return item;
}

const shop = {
  ping: () => ({ ok: true }),
  echo(request) {
    if (request.text === "sold") throw new SoldError();
    return request;
  },
  getItem: ({ id }) => ({ item: find(id) }),
  getItems: ({ ids }) => ({ items: ids.map(find) }),
  async *count({ to }) {
    if (to === 0) throw new SoldError();
    for (let n = 1; n <= to; n += 1) yield { n };
  },
  async upload({ title, picture }) {
    const stored = await new Response(picture.stream()).blob();
    if (title === "sold") throw new SoldError();
    pictures.set(title, stored);
    return { bytes: stored.size };
  },
  download({ title }) {
    const stored = pictures.get(title);
    if (stored === undefined) throw new ItemNotFoundError();
    return { file: new File([stored], `${title}.txt`, { type: "text/plain" }) };
  },
};

/**
 * Starts the server on a free port. Returns its address and a function to stop
 * it.
 */
export async function startServer() {
  const handle = toNodeHandler(
    createShopServer({
      verifyApiKey: (key) => key === "key",
      verifyToken(token) {
        if (token !== "token") throw new ForbiddenError();
        return true;
      },
      acceptParameters: ({ country }) => country === "at",
      handlers: { shop },
    }),
  );
  const server = createServer(handle).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address();
  return {
    address: `http://localhost:${port}`,
    close: () => server.close(),
  };
}
