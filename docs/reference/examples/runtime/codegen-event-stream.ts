// Describes a [stream of server-sent events](../../ridl.md#streams-as-bodies). Generated methods use it.
import { rest } from "@ridlkit/runtime/codegen/create-client";
import { eventStream } from "@ridlkit/runtime/codegen/event-stream";
import { openStream, type StreamMethod } from "@ridlkit/runtime/stream";
import { options } from "../shop.js";

const watchPrices: StreamMethod<{ id: string }, { price: string }> =
  eventStream(rest("GET", "/books/{id}/prices"));
const headers = { "content-type": "text/event-stream" };
const fetch = (): Promise<Response> =>
  Promise.resolve(new Response('data: {"price":"7"}\n\n', { headers }));
const prices = openStream({ ...options, fetch }, watchPrices, { id: "7" });
for await (const { price } of prices) console.log(price);
