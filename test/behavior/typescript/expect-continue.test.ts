import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { createSampleServer } from "./sample-server.js";

const server = createSampleServer();

type Listener = ReturnType<typeof toNodeHandler>;

async function listen(listener: Listener): Promise<number> {
  const http = createServer(listener).on("checkContinue", listener);
  return (await listenForTest(http)).port;
}

/** Listens as `ridl mock` does. */
async function listenInCommand(listener: Listener): Promise<number> {
  const { close, port } = await createNodeSystem().listen(
    (...args) => Reflect.apply(listener, undefined, args),
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(close);
  return port;
}

const servers = {
  toNodeHandler: () => listen(toNodeHandler(server)),
  toNodeListener: () => listen(toNodeListener(server.fetch)),
  "a command": () => listenInCommand(toNodeHandler(server)),
};

it.each(Object.entries(servers))(
  "%s permits a client to send a body only if it reads it",
  async (_, start) => {
    const port = await start();
    const ask = async (path: string, length = 7): Promise<string> => {
      let text = "";
      const socket = connect(port, "127.0.0.1");
      socket.setEncoding("utf8");
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
      socket.write(
        `${head}Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
      );
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
    const refusals: readonly [string, number?][] = [
      ["/rpc/API/Nothing"],
      ["/rpc/API/AddSponsor"],
      ["/rpc/API/Echo", 2000],
    ];
    for (const refusal of refusals) {
      const refused = await ask(...refusal);
      expect(refused).toMatch(/^HTTP\/1\.1 4(?:01|04|13) /u);
      expect(refused).toMatch(/^connection: close/imu);
    }
  },
);
