// Reads streams. Programs import `openStream` to open a stream without a client.
import { openStream } from "@ridlkit/runtime/stream";
import { shopWatchPrice } from "../generated/client.js";
import { options } from "../shop.js";

const isbn = "9780262510875";
const prices = openStream(
  options,
  shopWatchPrice,
  { isbn },
  {
    timeoutMs: 5000,
    silenceMs: 30_000,
    maxLineLength: 64 * 1024,
    reconnect: {
      attempts: 5,
      minDelayMs: 1000,
      maxDelayMs: 60_000,
      resume: (request, last) => (last ? { ...request } : request),
    },
  },
);
for await (const { cents } of prices) console.log(cents);
