// Reads streams in generated clients that use the same names as webrpc's clients. The `compat` target generates calls to `followStream`. Programs usually call the client's methods instead.
import { followStream } from "@ridlkit/runtime/codegen/webrpc-stream";
import { shopWatchPrice } from "../generated/client.js";
import { options } from "../shop.js";

const request = { isbn: "9780262510875" };
const controller = followStream(
  options,
  shopWatchPrice.item,
  request,
  {
    headers: { "X-Trace": "7" },
    signal: AbortSignal.timeout(60_000),
    onOpen: () => console.log("open"),
    onMessage: (message) => console.log(message),
    onError: (error, reconnect) => {
      if (error.status >= 500) reconnect();
    },
    onClose: () => console.log("closed"),
  },
  {},
);
await controller.closed;
