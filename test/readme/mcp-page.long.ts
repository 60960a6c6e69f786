import { spawn } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { findFreePort } from "../../platform/process/programs/free-port.js";
import { compilePage } from "./mcp-page.js";

async function callTool(
  transport: Transport,
  id: number,
): Promise<{ readonly isError?: boolean; readonly text: string }> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  await client.connect(transport);
  const call = { name: "Shop_GetOrder", arguments: { id } };
  const { content, isError = false } = await client.callTool(call);
  await client.close();
  return { isError, text: JSON.stringify(content) };
}

/** Sends a request to a local server by another name. Returns the status. */
async function postAs(host: string, port: number): Promise<number | undefined> {
  const options = { port, path: "/mcp", method: "POST", headers: { host } };
  const sent = request({ host: "localhost", ...options }).end();
  const [response]: IncomingMessage[] = await once(sent, "response");
  response?.resume();
  return response?.statusCode;
}

test("docs/mcp.md has servers that the SDK's clients can call", async () => {
  const port = await findFreePort();
  const sandbox = await compilePage(port);
  const server = spawn(process.execPath, ["dist/server.js"], {
    cwd: sandbox.root,
    stdio: "inherit",
  });
  try {
    const url = new URL(`http://localhost:${port}/mcp`);
    const overHttp = (key: string) =>
      new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { "x-access-key": key } },
      });
    await expect
      .poll(() =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const found = { isError: false, text: expect.stringContaining("gift") };
    expect(await callTool(overHttp("secret"), 1)).toEqual(found);
    expect(await callTool(overHttp("wrong"), 1)).toEqual({
      isError: true,
      text: expect.stringContaining("AccessKeyNotFound"),
    });
    expect(await postAs("localhost", port)).not.toBe(403);
    expect(await postAs("attacker.example", port)).toBe(403);
    for (const program of ["stdio", "version-1"]) {
      const onStdio = () =>
        new StdioClientTransport({
          command: process.execPath,
          args: [join(sandbox.root, `dist/${program}.js`)],
          env: { RIDL_X_ACCESS_KEY: "secret" },
        });
      expect(await callTool(onStdio(), 1)).toEqual(found);
      expect(await callTool(onStdio(), 2)).toEqual({
        isError: true,
        text: expect.stringContaining("OrderNotFound"),
      });
    }
  } finally {
    server.kill();
    await once(server, "exit");
  }
});
