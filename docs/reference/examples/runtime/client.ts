// Calls methods of a contract. Generated clients use these functions. Programs import `call` or `connect` to call individual methods without a client.
import { call, connect, TransportError } from "@ridlkit/runtime/client";
import { address, createClient, createSender } from "@ridlkit/runtime/client";
import { get, rpc, webhook } from "@ridlkit/runtime/client";
import { shopGetBook, shopOrder } from "../generated/client.js";
import type { GetBookRequest, GetBookResponse } from "../generated/types.js";
import { options } from "../shop.js";

const isbn = "9780262510875";

// Call one method.
console.log(await call(options, shopGetBook, { isbn }));

// Call several methods of a server, with every option.
const shop = connect({
  baseUrl: address("https://{country}.shop.example"),
  parameters: { country: "at" },
  credentials: { apiKey: () => "secret" },
  headers: { "Accept-Language": "de" },
  fetch: options.fetch,
  timeoutMs: 5000,
  signal: AbortSignal.timeout(60_000),
  use: [(next) => (call) => next(call)],
});
const order = await shop.result(
  shopOrder,
  { isbn },
  {
    headers: () => ({ "X-Trace": "7" }),
    signal: AbortSignal.timeout(1000),
    timeoutMs: 1000,
    parameters: { country: "ch" },
    context: { attemptedBy: "cron" },
  },
);
if (order.ok) console.log(order.value.id);
else if (order.error instanceof TransportError) console.log(order.error.reason);

// Create a client without generated code.
const getBook = rpc<GetBookRequest, GetBookResponse, never>(
  "/rpc/Shop/GetBook",
  {
    credentials: [["apiKey", "x-api-key"]],
    safety: "readonly",
    encode: (request) => ({ ...request }),
    decode: (message) => message as GetBookResponse,
    stringify: (message) => JSON.stringify(message),
    parse: (text): unknown => JSON.parse(text),
    fill: (path) => path,
  },
);
const bookClient = createClient(options, { getBook });
console.log((await bookClient.getBook({ isbn })).book.title);

// A REST read whose body is the field `book`, and a webhook.
export const readBook = get<GetBookRequest, GetBookResponse, never>(
  "/books/{isbn}",
  { body: "book" },
);
const sender = createSender(options, {
  shipped: webhook<{ id: number }, never>({ event: "Shipped" }),
});
const sent = await sender.shipped.result("https://example.com", { id: 7 });
console.log(sent.ok); // false: the shop receives no webhooks
