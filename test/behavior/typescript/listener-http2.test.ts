import { once } from "node:events";
import { connect, createServer } from "node:http2";
import { expect, it, onTestFinished } from "vitest";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import { listenForTest } from "../../support/listen-for-test.js";

it("takes the host of an HTTP/2 request from `:authority`", async () => {
  const urls: string[] = [];
  const listener = toNodeListener(({ url }) => {
    urls.push(url);
    return new Response();
  });
  const { url } = await listenForTest(createServer(listener));
  const session = connect(url);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ":path": "/a",
    ":authority": "real.example.com",
    host: "other.example.com",
  });
  await once(stream, "response");
  expect(urls).toEqual(["http://real.example.com/a"]);
});
