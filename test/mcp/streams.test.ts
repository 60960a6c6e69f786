import { createServer } from "node:http";
import { expect, it, vi } from "vitest";
import { listenForTest } from "../support/listen-for-test.js";
import { startMcp } from "./start-mcp.js";

const prices = `webrpc = v1
name = prices
version = v1.0.0

service Prices
  # The prices of all tickers, as they change.
  @get:"/prices"
  - Watch() => stream (price: uint32)
`;

/** The number of items after which `ridl mcp` stops to read. */
const count = 100;

it.each(["text/event-stream", "Text/Event-Stream; charset=utf-8", undefined])(
  "returns the events of a stream of type %s that stays open",
  async (type) => {
    const closed = vi.fn();
    const server = createServer((request, response) => {
      request.resume();
      response.on("close", closed);
      response.writeHead(
        200,
        type === undefined ? {} : { "content-type": type },
      );
      for (let price = 0; price < count; price += 1)
        response.write(`data: {"price":${price}}\n\n`);
    });
    const { url } = await listenForTest(server);
    const { client, end } = await startMcp(prices, url);
    const { isError, structured } = await client.call("Prices_Watch");
    expect(isError).toBe(false);
    expect(Object(structured).items).toHaveLength(count);
    expect(structured).toMatchObject({ isComplete: false });
    await expect.poll(() => closed).toHaveBeenCalled();
    await end();
  },
);

it("returns the error of a server that answers with an event", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(503, { "content-type": "text/event-stream" });
    response.end("data: busy\n\n");
  });
  const { url } = await listenForTest(server);
  const { client, end } = await startMcp(prices, url);
  const { isError, text } = await client.call("Prices_Watch");
  expect(isError).toBe(true);
  expect(text).toMatchObject({ error: "WebrpcBadResponse", status: 503 });
  await end();
});
