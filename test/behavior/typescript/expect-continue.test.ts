import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { createSampleServer } from "./sample-server.js";

const server = createSampleServer();
const listeners = {
  toNodeHandler: toNodeHandler(server),
  toNodeListener: toNodeListener(server.fetch),
};

it.each(Object.entries(listeners))(
  "%s permits a client to send a body only if it reads it",
  async (_, listener) => {
    const http = createServer(listener);
    http.on("checkContinue", listener);
    const { port } = await listenForTest(http);
    const ask = async (path: string): Promise<string> => {
      let text = "";
      const socket = connect(port, "127.0.0.1");
      socket.setEncoding("utf8");
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
      socket.write(`${head}Content-Length: 7\r\nExpect: 100-continue\r\n\r\n`);
      socket.on("data", (part: string) => {
        text += part;
        if (text === "HTTP/1.1 100 Continue\r\n\r\n") socket.write('{"a":1}');
        else if (text.endsWith("}")) socket.end();
      });
      await new Promise((resolve) => socket.on("close", resolve));
      return text;
    };
    const read = await ask("/rpc/API/Echo");
    expect(read).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/u);
    expect(read).toContain('{"a":1}');
    for (const path of ["/rpc/API/Nothing", "/rpc/API/AddSponsor"]) {
      const refused = await ask(path);
      expect(refused).toMatch(/^HTTP\/1\.1 40[14] /u);
      expect(refused).toMatch(/^connection: close/imu);
    }
  },
);
