import { expect, test } from "vitest";

import {
  createTestProject,
  headersOf,
  hostPlatform,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const page = "https://app.example.com";

test("rejects a string that the database cannot store, in any field", async () => {
  const { call, store } = servePlatform(database);
  const project = await createTestProject(store);
  const address = `0x${"1".repeat(40)}`;
  const marketplace = "/hardhat/rpc/Marketplace";
  for (const [path, message, where] of [
    [
      "/rpc/Relayer/AddGasSponsor",
      { projectId: project.id, address, name: "a\0b" },
      "name",
    ],
    [
      `${marketplace}/GetOrders`,
      { input: [{ contractAddress: address, orderId: "a\0" }] },
      "input[0].orderId",
    ],
    [
      "/rpc/Metadata/GetTokenMetadataBatch",
      { chainID: "hardhat", contractTokenMap: { "\0": ["1"] } },
      "contractTokenMap",
    ],
  ] as const) {
    const { status, body } = await call(path, headersOf(project), message);
    expect([status, body["error"], body["cause"]]).toEqual([
      400,
      "InvalidArgument",
      `${where}: expected a string without the character U+0000, got one with it`,
    ]);
  }
});

test.each([[[page]], [["*"]]])(
  "lets pages from %j send all keys to all methods",
  async (allowedOrigins) => {
    const host = await hostPlatform(
      servePlatform(database, { allowedOrigins, allowedHeaders: ["X-Trace"] }),
    );
    const preflight = async (path: string): Promise<readonly string[]> => {
      const { headers } = await fetch(host.baseUrl + path, {
        method: "OPTIONS",
        headers: {
          origin: page,
          "access-control-request-method": "POST",
          "access-control-request-headers":
            "authorization,content-type,x-access-key",
        },
      });
      const allowed = headers.get("access-control-allow-headers") ?? "";
      return allowed.toLowerCase().split(", ");
    };
    const wanted = ["authorization", "content-type", "x-access-key", "x-trace"];
    for (const path of [
      "/rpc/API/GetSwapPrice",
      "/rpc/Builder/ListAudiences",
      "/rpc/Relayer/AddGasSponsor",
      "/polygon/rpc/Relaying/Relay",
      "/polygon/rpc/Marketplace/GetOrders",
      "/rpc/Metadata/GetContractInfo",
      "/137/rpc/Indexer/AddWebhookListener",
    ]) {
      expect(await preflight(path)).toEqual(expect.arrayContaining(wanted));
    }
    const { headers } = await fetch(`${host.baseUrl}/rpc/API/GetSwapPrice`, {
      method: "POST",
      headers: { origin: page },
    });
    expect(headers.get("access-control-expose-headers")).toBe(
      "Retry-After, X-Request-Id",
    );
    expect(headers.get("x-request-id")).not.toBeNull();
  },
);
