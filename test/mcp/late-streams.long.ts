import { createServer } from "node:http";
import { expect, it } from "vitest";
import { listenForTest } from "../support/listen-for-test.js";
import { startMcp } from "./start-mcp.js";

const clock = `webrpc = v1
name = clock
version = v1.0.0

service Clock
  - Watch() => stream (seconds: uint32)
`;

it("fails a stream whose server does not respond", async () => {
  const server = createServer((request) => request.resume());
  const { url } = await listenForTest(server);
  const { client, end } = await startMcp(clock, url);
  const { isError, text } = await client.call("Clock_Watch");
  expect(isError).toBe(true);
  expect(text).toMatchObject({
    error: "WebrpcRequestFailed",
    cause:
      "the server did not begin to respond within 10 seconds; some servers send nothing before the first item",
  });
  await end();
});

it("returns no items of a stream that begins and is silent", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.flushHeaders();
  });
  const { url } = await listenForTest(server);
  const { client, end } = await startMcp(clock, url);
  const { isError, structured } = await client.call("Clock_Watch");
  expect(isError).toBe(false);
  expect(structured).toEqual({ items: [], isComplete: false });
  await end();
});
