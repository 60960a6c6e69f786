// Runs a generated server on Node.
import { createServer } from "node:http";
import { answerExchange, NodeExchange } from "@ridlkit/runtime/node";
import { send, sendStream, toNodeHandler } from "@ridlkit/runtime/node";
import { server } from "../shop.js";

const http = createServer(toNodeHandler(server));
http.listen(0, () => http.close());

// These functions are for adapters to frameworks that use Node's objects.
export const adapted = createServer(async (request, response) => {
  const exchange = new NodeExchange(request, response);
  if (server.matches(exchange.target)) {
    answerExchange(server, exchange, response);
  } else if (request.url === "/health") {
    send(exchange, { status: 200, headers: {}, body: "fine" }, response);
  } else {
    const pieces = ["no", "thing"];
    const next = async () => pieces.shift() ?? null;
    const stream = { next, cancel: () => {} };
    await sendStream(exchange, { status: 404, headers: {} }, stream, response);
  }
});
