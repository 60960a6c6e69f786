import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAccessKey } from "../../examples/platform/credentials.js";
import {
  serveExample,
  type RunningExample,
} from "../../examples/platform/serve.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { samples } from "../contract/samples.js";
import { runMcp } from "./run-mcp.js";

let example: RunningExample;
beforeAll(async () => {
  example = await serveExample(0, () => {});
});
afterAll(() => example.close());

it.each([undefined, "2026-07-28"])(
  "ridl mcp calls a server with credentials from the environment, in revision %s",
  async (revision) => {
    const flags = ["schema/api.ridl", "--url", example.baseUrl];
    const mcp = runMcp(flags, { RIDL_X_ACCESS_KEY: demoAccessKey });
    const client = await mcp.connect(revision);
    const names = (await client.list()).map(({ name }) => name);
    expect(names).toContain("API_IsValidSignature");
    const { request } = samples["API.IsValidSignature"];
    const args = structuredClone(Object(request));
    expect(await client.call("API_IsValidSignature", args)).toMatchObject({
      isError: false,
      structured: { isValid: expect.any(Boolean) },
    });
    expect(await client.call("API_IsValidSignature", {})).toMatchObject({
      isError: true,
      text: {
        error: "WebrpcBadRequest",
        cause: expect.stringContaining("expected"),
      },
    });
    await mcp.end();
  },
);

it("ends with its input, and prints nothing but messages to standard output", async () => {
  const { baseUrl } = example;
  const mcp = runMcp(["schema/api.ridl", "--url", baseUrl]);
  const client = await mcp.connect();
  const { text } = await client.call(
    "API_IsValidSignature",
    structuredClone(Object(samples["API.IsValidSignature"].request)),
  );
  expect(text).toMatchObject({ error: "AccessKeyNotFound" });
  expect(await mcp.end()).toBe(0);
  expect(mcp.printed()).toEqual({
    stdout: "",
    stderr:
      "warning: `RIDL_X_ACCESS_KEY` is not set; methods that require it will fail\n",
  });
});

const call = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"API_IsValidSignature","arguments":{}}}',
];

it("answers calls that arrived before its input ended", async () => {
  const mcp = runMcp(["schema/api.ridl", "--url", example.baseUrl]);
  mcp.streams.input.write(`${call.join("\n")}\n`);
  expect(await mcp.end()).toBe(0);
  const answers = String(mcp.streams.output.read()).trim().split("\n");
  expect(answers.map((text) => JSON.parse(text).id)).toEqual([1, 2]);
});

it("ends if its output is closed", async () => {
  const mcp = runMcp(["schema/api.ridl", "--url", example.baseUrl]);
  mcp.streams.output.destroy();
  expect(await mcp.done).toBe(0);
});

it("reports in one line that a message violates the protocol", async () => {
  const mcp = runMcp(["schema/api.ridl", "--url", example.baseUrl], {
    RIDL_X_ACCESS_KEY: "key",
  });
  mcp.streams.input.write('{"a":1}\n');
  await mcp.end();
  expect(mcp.printed().stderr).toBe(
    "warning: a message does not conform to MCP\n",
  );
});

it("warns that a server is unreachable, and says why", async () => {
  const mcp = runMcp(["schema/api.ridl", "--url", "http://127.0.0.1:1"], {
    RIDL_X_ACCESS_KEY: "key",
  });
  const client = await mcp.connect();
  const args = structuredClone(Object(samples["API.IsValidSignature"].request));
  const { text } = await client.call("API_IsValidSignature", args);
  expect(text).toMatchObject({ error: "WebrpcRequestFailed" });
  await mcp.end();
  expect(mcp.printed().stderr).toMatch(
    /^warning: cannot reach `http:\/\/127\.0\.0\.1:1`: .+\n$/u,
  );
});

it("serves only read-only methods with `--read-only`", async () => {
  const { baseUrl } = example;
  const mcp = runMcp([
    "schema/api.ridl",
    "--address",
    `api=${baseUrl}`,
    "--read-only",
  ]);
  const client = await mcp.connect();
  const names = (await client.list()).map(({ name }) => name);
  expect(names).toContain("API_GetSwapPrice");
  expect(names).not.toContain("Builder_DeleteAudience");
  await mcp.end();
});

const schema = `webrpc = v1
name = shop
version = v1.0.0
basepath = "/{tenant}/rpc"

service Shop
  - GetOrder(id: uint64) => (note: string)
`;

const key = `
error 1 NoKey "no key" HTTP 401

type Key: string
  + header = X-Key
  + error = NoKey
`;

describe("invalid use of ridl mcp", () => {
  it.each([
    [[], "the address of the server is missing"],
    [["--address", "store=https://a.example"], "there is no host `store`"],
    [
      ["--address", "https://a.example"],
      "`--address https://a.example` is not a name and a value",
    ],
    [["--url", "shop.example"], "host `shop` is not the base address"],
    [["--url", "https://a.example?b=c"], "is not the base address"],
    [["--url", "https://a.example/#b"], "is not the base address"],
    [
      ["--url", "https://a.example", "--parameter", "tenant="],
      "is not a name and a value",
    ],
    [
      ["--url", "https://a.example", "--header", "X Key: 1"],
      "`--header X Key` cannot be sent",
    ],
    [
      ["--url", "https://a.example"],
      "needs a value for its parameter `tenant`",
    ],
    [
      ["--url", "https://a.example", "--parameter", "=1"],
      "`--parameter =1` is not a name and a value",
    ],
    [
      ["--url", "https://a.example", "--parameter", "tenant=a", "--read-only"],
      "there are no methods to serve as tools",
    ],
  ])("rejects %j", async (flags, message) => {
    const sandbox = createSandbox({ "shop.ridl": schema });
    const result = await sandbox.run(["mcp", "shop.ridl", ...flags]);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  it.each([
    [["--url", "https://me:secret@a.example"], {}],
    [["--url", "https://a.example"], { RIDL_X_KEY: "sec\nret" }],
    [["--url", "https://a.example", "--header", "X-Other: secret\nx"], {}],
  ])(
    "rejects %j with %j without showing secrets",
    async (flags, environment) => {
      const { root } = createSandbox({ "shop.ridl": `${schema}${key}` });
      const given = ["shop.ridl", "--parameter", "tenant=a", ...flags];
      const mcp = runMcp(given, environment, root);
      expect(await mcp.end()).toBe(2);
      expect(mcp.printed().stderr).not.toMatch(/sec\n?ret/u);
    },
  );

  it("rejects a document with an error", async () => {
    const sandbox = createSandbox({ "shop.ridl": `${schema}  - GetOrder()\n` });
    const flags = ["--url", "https://a.example"];
    const result = await sandbox.run(["mcp", "shop.ridl", ...flags]);
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain("error[duplicate-method]");
  });
});
