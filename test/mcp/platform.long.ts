import { rmSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  makeDataFolder,
  spawnPlatform,
  waitUntilGone,
  type Ready,
} from "../../platform/test/load/spawned-platform.js";
import { samples } from "../contract/samples.js";
import { compileSchema } from "../support/compile-schema.js";
import { clientOf, type ToolClient, type ToolOutcome } from "./connect.js";

const folder = makeDataFolder();
const { ready: becomesReady, end } = spawnPlatform(folder, {
  LOG_LEVEL: "warn",
});
let ready: Ready;
let client: ToolClient;

beforeAll(async () => {
  ready = await becomesReady;
  const { accessKey, baseUrl, secret } = ready;
  const sdk = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...["bin/ridl.js", "mcp", "--url", baseUrl],
      ...["--parameter", "network=hardhat"],
    ],
    env: { RIDL_X_ACCESS_KEY: accessKey, RIDL_AUTHORIZATION: secret },
  });
  await sdk.connect(transport);
  expect(sdk.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  client = clientOf(sdk);
});
afterAll(async () => {
  await client.close();
  await end("SIGTERM");
  await waitUntilGone(folder);
  rmSync(folder, { recursive: true });
});

it("finds the methods of all hosts and describes them with valid schemas", async () => {
  const names: string[] = [];
  for (let offset: unknown = 0; offset !== undefined;) {
    const { text } = await client.call("search", { query: "", offset });
    const { matches, nextOffset } = Object(text);
    for (const { name } of matches) names.push(name);
    offset = nextOffset;
  }
  expect(names).toContain("Indexer_AddWebhookListener");
  expect(names.filter((name) => name.startsWith("IndexerWebhook"))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) {
    expect(name).toMatch(/^[\w-]{1,64}$/u);
    const { text } = await client.call("describe", { name });
    const { inputSchema, outputSchema } = Object(text);
    for (const schema of [inputSchema, outputSchema]) {
      const { $defs = {}, ...message } = schema;
      compileSchema({ $defs: { ...$defs, message } }, "message");
    }
  }
});

/** Calls a method with the tool `call`. */
function callMethod(name: string, args: object): Promise<ToolOutcome> {
  return client.call("call", { name, arguments: args });
}

it("calls a platform method", async () => {
  const { request } = samples["API.IsValidSignature"];
  const outcome = await callMethod("API_IsValidSignature", {
    ...structuredClone(Object(request)),
    chainId: "31337",
  });
  expect(outcome).toMatchObject({
    isError: false,
    structured: { isValid: false },
  });
});

it("reports errors from the platform", async () => {
  const { isError, text } = await callMethod("Builder_ListAudiences", {
    projectId: 999_999,
  });
  expect(isError).toBe(true);
  expect(text).toMatchObject({
    error: expect.any(String),
    code: expect.any(Number),
    status: expect.any(Number),
  });
});

it.each([
  {},
  { chainId: 1e300 },
  { walletAddress: { a: 1 } },
  { digest: [[]] },
])("rejects the arguments %j and continues", async (args) => {
  const { isError, text } = await callMethod("API_IsValidSignature", args);
  expect(isError).toBe(true);
  expect(text).toMatchObject({ error: "WebrpcBadRequest" });
});
