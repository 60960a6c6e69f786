import { idempotency, memoryAnswers } from "@ridlkit/runtime/idempotency";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  demoAccessKey,
  demoSecret,
} from "../../examples/platform/credentials.js";
import {
  serveExample,
  type RunningExample,
} from "../../examples/platform/serve.js";
import { createRelayerHandler } from "../../examples/platform/relayer.js";
import { createRelayerServer } from "../../generated/relayer/server.js";
import { samples } from "./samples.js";

// Calls the example over HTTP to test decisions that the interface document
// leaves open, as listed in `generated/origins.md`.

const contract = `0x${"aB".repeat(20)}`;
const lower = contract.toLowerCase();
const other = `0x${"cd".repeat(20)}`;
const wallet = "0x1111111111111111111111111111111111111111";
const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const zero = `0x${"0".repeat(40)}`;
const signature = `0x${"5a".repeat(65)}`;
const hash = `0x${"12".repeat(32)}`;

const key = { "X-Access-Key": demoAccessKey };
const both = { ...key, Authorization: `Bearer ${demoSecret}` };

let example: RunningExample;
beforeAll(async () => {
  example = await serveExample(0, () => {});
});
afterAll(() => example.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

async function send(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = both,
): Promise<Answer> {
  const response = await fetch(example.baseUrl + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const { status } = response;
  return { status, headers: response.headers, json: await response.json() };
}

async function read(path: string, headers = {}): Promise<Answer> {
  const response = await fetch(example.baseUrl + path, { headers });
  const { status } = response;
  return { status, headers: response.headers, json: await response.json() };
}

/** Returns the expected response for an error, with a matching cause. */
function refusal(error: string, status: number, cause?: RegExp): Answer {
  return {
    status,
    headers: expect.any(Headers) as Headers,
    json: expect.objectContaining({
      error,
      status,
      ...(cause && { cause: expect.stringMatching(cause) }),
    }),
  };
}

const swap = {
  buyCurrencyAddress: contract,
  sellCurrencyAddress: native,
  buyAmount: "1000000",
  chainId: 137,
  slippagePercentage: 1,
};

describe("wire", () => {
  it("ignores undeclared fields", async () => {
    const body = { projectId: 1, chainId: 1, refreshAll: true, webhookUrl: "" };
    const answer = await send("/rpc/Builder/ListAudiences", body);
    expect(answer.status).toBe(200);
  });

  it("sends timestamps in the format of toISOString", async () => {
    const { json } = await send("/rpc/Builder/ListAudiences", { projectId: 1 });
    const [audience] = Object(json).audiences;
    for (const name of ["createdAt", "updatedAt"]) {
      const text = String(audience[name]);
      expect(new Date(text).toISOString()).toBe(text);
    }
  });

  it.each(["0x10", "1,000", "1_000", "+1", "-1", "1.5", "1e3", "", " 1"])(
    "rejects the amount %j",
    async (buyAmount) => {
      const answer = await send("/rpc/API/GetSwapPrice", {
        ...swap,
        buyAmount,
      });
      expect(answer).toMatchObject(
        refusal(
          "InvalidArgument",
          400,
          /^buyAmount: expected a decimal string/,
        ),
      );
    },
  );

  it("accepts chain IDs above 2^32, and amounts of any size", async () => {
    const buyAmount = String(2n ** 256n - 1n);
    const body = { ...swap, chainId: 37714555429, buyAmount };
    expect((await send("/rpc/API/GetSwapPrice", body)).status).toBe(200);
  });

  it.each([
    [
      "API/GetSwapPrice",
      JSON.stringify(swap).replace("137", "9007199254740993"),
      "chainId",
    ],
    ["Builder/ListAudiences", '{"projectId":9007199254740993}', "projectId"],
    [
      "Metadata/GetTokenRefreshStatus",
      '{"taskId":18446744073709551616}',
      "taskId",
    ],
  ])(
    "%s rejects an integer beyond 2^53-1 instead of rounding it",
    async (method, body, field) => {
      const answer = await send(`/rpc/${method}`, body);
      expect(answer).toMatchObject(
        refusal("InvalidArgument", 400, new RegExp(`^${field}: `)),
      );
    },
  );

  it("removes exactly the contacts with the given 64-bit IDs", async () => {
    const ids = (...contactIds: string[]): string =>
      `{"projectId":1,"audienceId":1,"contactIds":[${contactIds.join()}]}`;
    const path = "/rpc/Builder/RemoveAudienceContacts";
    const count = async () =>
      Object((await send("/rpc/Builder/ListAudiences", { projectId: 1 })).json)
        .audiences[0].contactCount;
    // This ID is not stored, but rounding would make it equal to one that is.
    await send(path, ids("18446744073709551614"));
    expect(await count()).toBe(3);
    await send(path, ids("18446744073709551615"));
    expect(await count()).toBe(2);
    const tooLarge = await send(path, ids("18446744073709551616"));
    expect(tooLarge).toMatchObject(refusal("InvalidArgument", 400));
  });

  it.each([contract, lower, `0x${"AB".repeat(20)}`])(
    "accepts the address %s and returns it in lower case",
    async (contractAddress) => {
      const body = { chainID: "polygon", contractAddress, tokenIDs: ["1"] };
      const { json } = await send("/rpc/Metadata/GetTokenMetadata", body);
      expect(Object(json).tokenMetadata[0].contractAddress).toBe(lower);
    },
  );

  it.each(["Bearer", "bearer", "BEARER"])(
    "accepts the scheme %s",
    async (scheme) => {
      const headers = { ...key, Authorization: `${scheme} ${demoSecret}` };
      const body = { projectId: 1, address: other };
      const answer = await send("/rpc/Relayer/AddGasSponsor", body, headers);
      expect(answer.status).toBe(200);
    },
  );

  it("lets pages send access keys and the headers of webrpc clients", async () => {
    const server = createRelayerServer({
      handlers: { relayer: createRelayerHandler(31337) },
      verifyAccessKey: () => true,
      verifySecret: () => true,
      cors: { origins: "*" },
      caller: () => "tests",
      idempotency: idempotency(memoryAnswers()),
    });
    const preflight = new Request("http://relayer/rpc/Relayer/AddGasSponsor", {
      method: "OPTIONS",
      headers: {
        Origin: "https://a.b",
        "Access-Control-Request-Method": "POST",
      },
    });
    const { status, headers } = await server.fetch(preflight);
    expect(status).toBe(204);
    const allowed = headers.get("access-control-allow-headers") ?? "";
    expect(allowed.toLowerCase().split(/, */u)).toEqual(
      expect.arrayContaining([
        "authorization",
        "content-type",
        "webrpc",
        "x-access-key",
      ]),
    );
  });

  it("ignores the `Webrpc` header", async () => {
    const headers = { ...both, Webrpc: "webrpc@v0.44.0;gen-golang@v0.35.0;x" };
    const answer = await send("/rpc/API/GetSwapPrice", swap, headers);
    expect(answer.status).toBe(200);
  });
});

describe("authentication and errors", () => {
  it("creates access keys from a version, a project, and 17 bytes", () => {
    const bytes = Buffer.from(demoAccessKey, "base64url");
    expect([bytes.length, bytes[0], bytes.readBigUInt64BE(1)]).toEqual([
      26,
      1,
      1n,
    ]);
  });

  it.each([
    "/rpc/API/GetSwapPrice",
    "/rpc/Builder/ListAudiences",
    "/rpc/Relayer/AddGasSponsor",
    "/polygon/rpc/Marketplace/GetOrders",
    "/rpc/Metadata/GetContractInfo",
    "/rpc/Indexer/AddWebhookListener",
  ])("checks the access key before the body at %s", async (path) => {
    for (const headers of [{}, { "X-Access-Key": "unknown" }]) {
      const answer = await send(path, "{", headers);
      expect(answer.json).toMatchObject({
        error: "AccessKeyNotFound",
        code: 1101,
        msg: "Access key not found",
        status: 401,
      });
      expect(answer.status).toBe(401);
    }
  });

  it.each([
    "/rpc/Relayer/AddGasSponsor",
    "/rpc/Indexer/AddWebhookListener",
    "/rpc/Indexer/RemoveWebhookListener",
  ])("checks the secret before the body at %s", async (path) => {
    for (const secret of [{}, { Authorization: "Bearer other" }]) {
      const answer = await send(path, "{", { ...key, ...secret });
      expect(answer).toMatchObject(refusal("PermissionDenied", 403));
    }
  });

  it.each(["{", "[]", "null", "7", ""])(
    "rejects %j with WebrpcBadRequest",
    async (body) => {
      const answer = await send("/rpc/API/GetSwapPrice", body);
      expect(answer).toMatchObject(refusal("WebrpcBadRequest", 400));
    },
  );

  it("rejects an unknown chain", async () => {
    const invalid = refusal(
      "InvalidArgument",
      400,
      /expected a supported network/,
    );
    for (const [method, body] of [
      [
        "API/IsValidSignature",
        { chainId: "moon", walletAddress: wallet, digest: hash, signature },
      ],
      [
        "Metadata/GetContractInfo",
        { chainID: "moon", contractAddress: contract },
      ],
      [
        "Metadata/GetTokenMetadata",
        { chainID: "424242", contractAddress: contract, tokenIDs: [] },
      ],
    ] as const) {
      expect(await send(`/rpc/${method}`, body)).toMatchObject(invalid);
    }
    expect(await read(`/tokens/moon/${contract}`)).toMatchObject(invalid);
    const path = "/moon/rpc/Marketplace/GetOrders";
    const answer = await send(path, { input: [] });
    expect(answer).toMatchObject(refusal("WebrpcBadRoute", 404));
  });

  it("serves REST reads without an access key, and ignores one that is sent", async () => {
    for (const headers of [{}, { "X-Access-Key": "unknown" }, key]) {
      const answer = await read(`/tokens/137/${contract}/1,2`, headers);
      expect(answer.status).toBe(200);
      expect(answer.json).toHaveLength(2);
    }
    const path = "/tokens/137/nowhere";
    expect(await read(path)).toMatchObject(refusal("InvalidArgument", 400));
  });
});

describe("shapes", () => {
  it("returns swap prices in every currency except the requested one", async () => {
    const { sellCurrencyAddress, ...rest } = { ...swap, userAddress: wallet };
    const currencies = async (buyCurrencyAddress: string) => {
      const body = { ...rest, buyCurrencyAddress };
      const { json } = await send("/rpc/API/GetSwapPrices", body);
      return Object(json).swapPrices.map(
        (price: { currencyAddress: string }) => price.currencyAddress,
      );
    };
    expect(await currencies(contract)).toHaveLength(2);
    expect(await currencies(native)).not.toContain(native);
    expect(await currencies(zero)).not.toContain(native);
  });

  it("accepts the zero address as the native currency", async () => {
    const price = async (sellCurrencyAddress: string) => {
      const body = { ...swap, sellCurrencyAddress };
      return Object((await send("/rpc/API/GetSwapPrice", body)).json).swapPrice;
    };
    const [plain, asZero, token] = [
      await price(native),
      await price(zero),
      await price(other),
    ];
    expect(asZero.transactionValue).toBe(plain.transactionValue);
    expect(plain.transactionValue).toBe(plain.maxPrice);
    expect(token.transactionValue).toBe("0");
    expect(token.currencyBalance).toBe("0");
  });

  it("accepts a chain in metadata requests only as a handle or decimal string", async () => {
    for (const chainID of ["polygon", "137"]) {
      const body = { chainID, contractAddress: contract };
      const { json } = await send("/rpc/Metadata/GetContractInfo", body);
      expect(Object(json).contractInfo).toMatchObject({
        chainId: 137,
        address: lower,
      });
    }
    const asNumber = { chainID: 137, contractAddress: contract };
    const answer = await send("/rpc/Metadata/GetContractInfo", asNumber);
    expect(answer).toMatchObject(refusal("InvalidArgument", 400, /^chainID: /));
    const otherSpelling = { chainId: "137", contractAddress: contract };
    const missing = await send("/rpc/Metadata/GetContractInfo", otherSpelling);
    expect(missing).toMatchObject(
      refusal("InvalidArgument", 400, /^chainID: .* got nothing/),
    );
  });

  it("uses lower-case addresses as keys in batches of contracts", async () => {
    const body = { chainID: "polygon", contractAddresses: [contract, other] };
    const { json } = await send("/rpc/Metadata/GetContractInfoBatch", body);
    expect(Object.keys(Object(json).contractInfoMap)).toEqual([lower, other]);
  });

  it("returns all eight fields of every token", async () => {
    const body = {
      chainID: "polygon",
      contractTokenMap: { [contract]: ["1"] },
    };
    const { json } = await send("/rpc/Metadata/GetTokenMetadataBatch", body);
    const [token] = Object(json).contractTokenMetadata[contract];
    expect(Object.keys(token)).toEqual([
      "tokenId",
      "contractAddress",
      "name",
      "description",
      "image",
      "decimals",
      "properties",
      "attributes",
    ]);
    expect(token.properties).toBeNull();
  });

  it("numbers order pages from 1, with 30 orders per page, and omits unknown orders", async () => {
    const ref = (orderId: string) => ({ contractAddress: contract, orderId });
    const path = "/polygon/rpc/Marketplace/GetOrders";
    const ask = async (body: object) => Object((await send(path, body)).json);
    const all = { input: ["offer-1", "nothing", "offer-2"].map(ref) };
    const first = await ask(all);
    const ids = (answer: { orders: { orderId: string }[] }) =>
      answer.orders.map(({ orderId }) => orderId);
    expect(ids(first)).toEqual(["offer-1", "offer-2"]);
    expect(first.page).toEqual({ page: 1, pageSize: 30, more: false });
    const second = await ask({ ...all, page: { page: 2, pageSize: 1 } });
    expect(ids(second)).toEqual(["offer-2"]);
    for (const page of [
      { page: 0, pageSize: 30 },
      { page: 1, pageSize: 101 },
    ]) {
      const answer = await send(path, { ...all, page });
      expect(answer).toMatchObject(
        refusal("InvalidArgument", 400, /^page\.page/),
      );
    }
  });

  it("filters orders by their marketplace", async () => {
    const ref = { contractAddress: contract, orderId: "offer-1" };
    const path = "/polygon/rpc/Marketplace/GetOrders";
    for (const [marketplace, count] of [
      ["sequence_marketplace_v2", 1],
      ["opensea", 0],
      ["somewhere_new", 0],
    ] as const) {
      const { json } = await send(path, { input: [{ ...ref, marketplace }] });
      expect(Object(json).orders).toHaveLength(count);
    }
  });

  it("returns the highest offer in dollars, or null if there is none", async () => {
    const path = "/polygon/rpc/Marketplace/GetHighestPriceOfferForCollectible";
    const order = async (tokenId: string) =>
      Object((await send(path, { contractAddress: contract, tokenId })).json);
    expect(await order("404")).toEqual({ order: null });
    expect((await order("1")).order).toMatchObject({
      orderId: "offer-2",
      side: "offer",
      status: "active",
      marketplace: "sequence_marketplace_v2",
      source: "sequence_marketplace_v2",
    });
  });

  it("returns all four kinds of checkout options", async () => {
    const { request } = samples["Marketplace.CheckoutOptionsSalesContract"];
    const path = "/polygon/rpc/Marketplace/CheckoutOptionsSalesContract";
    const { json } = await send(path, request);
    expect(Object.keys(Object(json).options).sort()).toEqual([
      "crypto",
      "nftCheckout",
      "onRamp",
      "swap",
    ]);
  });

  it("adds one sponsor per address, active and unnamed by default", async () => {
    const add = async (body: object) =>
      Object(
        (await send("/rpc/Relayer/AddGasSponsor", { projectId: 1, ...body }))
          .json,
      ).gasSponsor;
    const first = await add({ address: wallet });
    expect(first).toMatchObject({ name: "", active: true, chainId: 31337 });
    const again = await add({ address: wallet, name: "games", active: false });
    expect(again).toMatchObject({ id: first.id, name: "games", active: false });
    const another = await add({ address: `0x${"9".repeat(40)}` });
    expect(another.id).not.toBe(first.id);
  });

  it.each([
    ["text", (id: string) => id],
    ["a number", (id: string) => Number(id)],
  ])(
    "accepts a listener ID as %s, and returns it as a string",
    async (_, as) => {
      const { request } = samples["Indexer.AddWebhookListener"];
      const added = await send("/rpc/Indexer/AddWebhookListener", {
        ...request,
        filters: { ...request.filters, tokenIDs: [1, "2"] },
      });
      const { status, listener } = Object(added.json);
      expect([status, typeof listener.id, typeof listener.projectID]).toEqual([
        true,
        "string",
        "number",
      ]);
      expect(listener.filters.tokenIDs).toEqual(["1", "2"]);
      const remove = (projectId: unknown) =>
        send("/rpc/Indexer/RemoveWebhookListener", {
          id: as(listener.id),
          projectId,
        });
      expect(await remove(2)).toMatchObject(refusal("PermissionDenied", 403));
      expect((await remove("1")).json).toEqual({ status: true });
    },
  );
});

describe("behavior", () => {
  it("distinguishes wrong signatures from malformed ones", async () => {
    const ask = (proof: string) =>
      send("/rpc/API/IsValidSignature", {
        chainId: "polygon",
        walletAddress: wallet,
        digest: hash,
        signature: proof,
      });
    expect((await ask("0x12")).json).toEqual({ isValid: false });
    expect((await ask(signature)).json).toEqual({ isValid: true });
    expect(await ask("no hex")).toMatchObject(refusal("InvalidArgument", 400));
  });

  it("shows linked wallets only to their parent", async () => {
    const { request } = samples["API.GetLinkedWallets"];
    const body = { ...request, parentWalletSignature: "0x12" };
    const answer = await send("/rpc/API/GetLinkedWallets", body);
    expect(answer).toMatchObject(refusal("PermissionDenied", 403));
  });

  it("deletes only audiences of the caller's project", async () => {
    const path = "/rpc/Builder/DeleteAudience";
    const remove = (projectId: number) =>
      send(path, { projectId, audienceId: 1 });
    expect(await remove(2)).toMatchObject(refusal("PermissionDenied", 403));
    expect((await remove(1)).json).toEqual({ ok: true });
    expect(await remove(1)).toMatchObject(refusal("NotFound", 400));
    const { json } = await send("/rpc/Builder/ListAudiences", { projectId: 1 });
    expect(json).toEqual({ audiences: [] });
  });

  it("refreshes metadata in tasks", async () => {
    const token = {
      chainID: "polygon",
      contractAddress: other,
      tokenIDs: ["7"],
    };
    const image = async () =>
      Object((await send("/rpc/Metadata/GetTokenMetadata", token)).json)
        .tokenMetadata[0].attributes;
    const before = await image();
    const queued = await send("/rpc/Metadata/EnqueueTokensForRefresh", {
      ...token,
      refreshAll: true,
    });
    const { taskId } = Object(queued.json);
    expect(taskId).toEqual(expect.any(Number));
    const statuses: unknown[] = [];
    while (statuses.at(-1) !== "COMPLETED" && statuses.length < 9) {
      const { json } = await send("/rpc/Metadata/GetTokenRefreshStatus", {
        taskId,
      });
      statuses.push(Object(json).status);
    }
    expect(statuses.at(-1)).toBe("COMPLETED");
    expect(await image()).not.toEqual(before);
    const unknown = await send("/rpc/Metadata/GetTokenRefreshStatus", {
      taskId: 999,
    });
    expect(unknown).toMatchObject(refusal("NotFound", 400));
  });
});
