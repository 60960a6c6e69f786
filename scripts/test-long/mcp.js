// Runs scenarios of the Model Context Protocol's conformance suite against
// `ridl mcp`. The suite tests servers over HTTP, so a bridge passes each message
// to a `ridl mcp` on standard input and output. If the npm registry is not
// reachable, the script only prints a message.
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** The suite needs a newer version of Node than ridlkit. */
const packages = ["node@22", "@modelcontextprotocol/conformance@0.1.16"];

/**
 * The scenarios for the life cycle and for tools that `ridl mcp` can pass. The
 * documentation says why it cannot pass the others (docs/mcp.md).
 */
const scenarios = {
  list: [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
  ],
  search: ["server-initialize", "ping", "tools-list"],
};

const contract = `webrpc = v1
name = suite
version = v1.0.0

error 1 Intended "this tool intentionally returns an error for testing" HTTP 400

service Test
  # Returns a text.
  - SimpleText() => (text: string)
  - ErrorHandling() => () errors Intended
`;

/** The names of the suite's tools, and the methods that replace them. */
const methods = {
  test_simple_text: "Test_SimpleText",
  test_error_handling: "Test_ErrorHandling",
};

/** Implements the contract. */
function answer(request, response) {
  request.resume();
  const isError = request.url.endsWith("/ErrorHandling");
  const body = isError
    ? { error: "Intended", code: 1, msg: "intended", status: 400 }
    : { text: "This is a simple text response for testing." };
  response.writeHead(isError ? 400 : 200, {
    "content-type": "application/json",
  });
  response.end(JSON.stringify(body));
}

/** Starts a server and returns its URL. */
async function listen(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}

/** Passes messages between a session of the suite and a `ridl mcp`. */
async function connect(http, args) {
  const stdio = new StdioClientTransport({ command: process.execPath, args });
  http.onmessage = (message) => {
    const { name } = message.params ?? {};
    if (Object.hasOwn(methods, name ?? "")) {
      message.params.name = methods[name];
    }
    void stdio.send(message);
  };
  stdio.onmessage = (message) => void http.send(message);
  http.onclose = () => void stdio.close();
  await stdio.start();
  await http.start();
}

/** Starts an HTTP server with a `ridl mcp` for each session. */
async function startBridge(args) {
  const sessions = new Map();
  const server = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    let http = sessions.get(id);
    if (http === undefined) {
      http = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, http),
      });
      await connect(http, args);
    }
    await http.handleRequest(request, response);
  });
  const url = await listen(server);
  const close = async () => {
    for (const each of sessions.values()) await each.close();
    server.closeAllConnections();
    server.close();
  };
  return { url: `${url}/mcp`, close };
}

/** Runs a scenario. Returns whether it passes. */
async function passes(scenario, url, folder) {
  const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
  const child = spawn(
    join(folder, "node_modules/.bin/node"),
    [suite, "server", "--url", url, "--scenario", scenario],
    { stdio: ["ignore", "pipe", "pipe"], cwd: folder },
  );
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => output.push(data));
  }
  const [status] = await once(child, "close");
  if (status !== 0) console.log(Buffer.concat(output).toString());
  return status === 0;
}

async function run(folder) {
  writeFileSync(join(folder, "suite.ridl"), contract);
  const api = createServer(answer);
  const address = await listen(api);
  for (const [mode, names] of Object.entries(scenarios)) {
    const args = [
      ...[resolve("bin/ridl.js"), "mcp", join(folder, "suite.ridl")],
      ...["--url", address, "--tools", mode],
    ];
    const bridge = await startBridge(args);
    for (const name of names) {
      const isPassed = await passes(name, bridge.url, folder);
      console.log(`${isPassed ? "passes" : "FAILS"}: ${name}, --tools ${mode}`);
      if (!isPassed) process.exitCode = 1;
    }
    await bridge.close();
  }
  api.close();
}

const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
const flags = ["--prefix", folder, "--no-audit", "--no-fund"];
const { status } = spawnSync("npm", ["install", ...flags, ...packages], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (status === 0) {
  await run(folder);
} else {
  console.log(
    "NOT RUN: the conformance suite of MCP. The npm registry is not reachable.",
  );
}
rmSync(folder, { recursive: true });
