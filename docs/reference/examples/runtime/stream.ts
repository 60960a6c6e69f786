// Reads streams. Programs import `openStream` to open a stream without a client.
import { createStreams, openStream, stream } from "@ridlkit/runtime/stream";
import { shopWatchPrice } from "../generated/client.js";
import type { WatchPriceRequest } from "../generated/types.js";
import type { WatchPriceResponse } from "../generated/types.js";
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

// Create a client without generated code.
const watchPrice = stream<WatchPriceRequest, WatchPriceResponse, never>(
  "/rpc/Shop/WatchPrice",
);
const streams = createStreams(options, { watchPrice });
for await (const { cents } of streams.watchPrice({ isbn })) console.log(cents);
