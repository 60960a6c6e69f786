import { once } from "node:events";
import { connect, createServer } from "node:http2";
import { expect, it } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { createClock, sleep, until } from "./stream-server.js";

it("streams over HTTP/2 at the client's pace until the client disconnects", async () => {
  let count = 0;
  let isClosed = false;
  const clock = createClock(async function* () {
    try {
      for (;;) {
        count += 1;
        yield { n: count, text: "x".repeat(10_000) };
      }
    } finally {
      isClosed = true;
    }
  });
  const { url } = await listenForTest(createServer(toNodeHandler(clock)));
  const session = connect(url);
  const stream = session.request({
    ":method": "POST",
    ":path": "/rpc/Clock/Watch",
    "content-type": "application/json",
  });
  stream.on("error", () => {});
  stream.end("{}");
  const [headers] = (await once(stream, "response")) as [
    Record<string, unknown>,
  ];
  expect(headers).toMatchObject({
    ":status": 200,
    "content-type": "application/x-ndjson",
  });
  let text = "";
  stream.on("data", (data) => (text += String(data)));
  await until(() => text.includes('"n":3'));
  expect(text).toMatch(/^\n\{"n":1,/u);
  stream.pause();
  let before = -1;
  while (count !== before) {
    before = count;
    await sleep(100);
  }
  expect(count).toBeLessThan(2000);
  stream.destroy();
  await until(() => isClosed);
  session.close();
});
