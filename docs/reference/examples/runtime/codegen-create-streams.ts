// Creates a client's streaming methods from a table.
import { createStreams, stream } from "@ridlkit/runtime/codegen/create-streams";
import type { WatchPriceRequest } from "../generated/types.js";
import type { WatchPriceResponse } from "../generated/types.js";
import { options } from "../shop.js";

const watchPrice = stream<WatchPriceRequest, WatchPriceResponse, never>(
  "/rpc/Shop/WatchPrice",
);
const streams = createStreams(options, { watchPrice });
for await (const { cents } of streams.watchPrice({
  isbn: "9780262510875",
}))
  console.log(cents);
