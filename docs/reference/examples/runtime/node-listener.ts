// Runs a generated server and other web-standard handlers on a single Node port.
import { createServer } from "node:http";
import { toNodeListener } from "@ridlkit/runtime/node-listener";
import { server } from "../shop.js";

const listener = toNodeListener(
  (request) =>
    server.matches(request.url) ? server.fetch(request) : new Response("page"),
  {
    maxBodyBytes: 1024 * 1024,
    onError: (error) => console.error(error),
  },
);
const http = createServer(listener);
http.listen(0, () => http.close());
