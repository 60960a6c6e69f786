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
  "ridl mcp calls a server with the credentials of the environment, in revision %s",
  async (revision) => {
    const flags = ["schema/api.ridl", "--url", example.baseUrl];
    const mcp = runMcp(flags, { X_ACCESS_KEY: demoAccessKey });
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

it("ends with its input and prints nothing else to standard output", async () => {
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
      "warning: `X_ACCESS_KEY` is not set; methods that need it will fail\n",
  });
});

it("serves only what is marked as read-only with `--read-only`", async () => {
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

describe("ridl mcp refuses", () => {
  it.each([
    [[], "there is no address of a server"],
    [["--address", "store=https://a.example"], "there is no host `store`"],
    [["--address", "https://a.example"], "`https://a.example` has no name"],
    [["--url", "shop.example"], "`shop.example` is not an address"],
    [["--url", "https://a.example"], "has a parameter `tenant`"],
    [["--url", "https://a.example", "--parameter", "=1"], "`=1` has no name"],
    [
      ["--url", "https://a.example", "--parameter", "tenant=a", "--read-only"],
      "no method is a tool",
    ],
  ])("%j", async (flags, message) => {
    const sandbox = createSandbox({ "shop.ridl": schema });
    const result = await sandbox.run(["mcp", "shop.ridl", ...flags]);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  it("a document with an error", async () => {
    const sandbox = createSandbox({ "shop.ridl": `${schema}  - GetOrder()\n` });
    const flags = ["--url", "https://a.example"];
    const result = await sandbox.run(["mcp", "shop.ridl", ...flags]);
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain("error[duplicate-method]");
  });
});
