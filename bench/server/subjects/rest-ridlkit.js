import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { generated } from "../contract/generated.js";
import { list, put } from "../contract/items.js";
import { accessKey } from "../contract/messages.js";
import { listenOn } from "./listen.js";

const { createItemsServer } = await import(generated("items/server.js"));

export function listen() {
  const server = createItemsServer({
    verifyAccessKey: (key) => key === accessKey,
    handlers: {
      items: {
        put: (request) => ({ item: put(request) }),
        list: () => ({ items: list() }),
      },
    },
  });
  return listenOn(createServer(toNodeHandler(server)));
}
