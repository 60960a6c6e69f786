// Interceptors for the `use` option of a client. The first one in the list is the outermost.
import * as interceptors from "@ridlkit/runtime/interceptors";
import { createShopClient } from "../generated/client.js";
import { shopResponseChecks } from "../generated/validators.js";
import { options } from "../shop.js";

let token = "old";
const userKey = interceptors.createKey<string>("user");

const shop = createShopClient({
  ...options,
  timeoutMs: 5000,
  credentials: { apiKey: () => token },
  use: [
    interceptors.announceTimeout(),
    interceptors.refreshCredentials(() => (token = "secret"), {
      isStale: (error) => interceptorsSee(error, 401),
      repeatsAll: true,
    }),
    interceptors.retry({
      attempts: 5,
      attemptTimeoutMs: 1000,
      backoffMs: 100,
      maxBackoffMs: 2000,
      jitter: 1,
      isPassing: (error) => interceptorsSee(error, 503),
    }),
    interceptors.limitResponses({ maxBytes: 1024 * 1024 }),
    interceptors.observe({
      onStart: (call) => console.log(call.method.path),
      onEnd: (_call, { status, durationMs }) => console.log(status, durationMs),
    }),
    interceptors.onSkew(({ clientVersion, serverVersion }) =>
      console.log(clientVersion, serverVersion),
    ),
    interceptors.checkResponses(shopResponseChecks, "throw"),
    (next) => (call) => {
      userKey.write(call.context, "ada");
      return next(call);
    },
  ],
});
console.log(await shop.order({ isbn: "9780262510875" }));

function interceptorsSee(error: unknown, status: number): boolean {
  return error instanceof Error && "status" in error && error.status === status;
}
