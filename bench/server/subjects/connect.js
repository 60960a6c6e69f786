import { createServer } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { accessKey, getOrders, getPrice } from "../contract/messages.js";
import { generatedProto } from "../contract/generated.js";
import { listenOn } from "./listen.js";

const { Market } = await import(generatedProto());

const credentials = (next) => (request) => {
  if (request.header.get("x-access-key") === accessKey) return next(request);
  throw new ConnectError("AccessKeyNotFound", Code.Unauthenticated);
};

export function listen() {
  const routes = (router) => router.service(Market, { getOrders, getPrice });
  return listenOn(
    createServer(
      connectNodeAdapter({
        routes,
        interceptors: [credentials],
        // Include zeros, as all other servers do.
        jsonOptions: { alwaysEmitImplicit: true },
      }),
    ),
  );
}
