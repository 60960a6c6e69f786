// Calls individual methods of a contract without a client, and contains the types of clients.
import {
  address,
  basicCredential,
  call,
  connect,
} from "@ridlkit/runtime/client";
import { fillParameters, TransportError } from "@ridlkit/runtime/client";
import { shopGetBook, shopOrder } from "../generated/client.js";
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
    idempotencyKey: "order 7",
  },
);
if (order.ok) console.log(order.value.id);
else if (order.error instanceof TransportError) console.log(order.error.reason);

// The value of a credential with the scheme `Basic`.
console.log(basicCredential({ username: "ada", password: "secret" })); // YWRhOnNlY3JldA==

// Generated clients fill paths like this.
console.log(fillParameters("/books/{isbns}", { isbns: ["1", "2"] })); // /books/1,2
