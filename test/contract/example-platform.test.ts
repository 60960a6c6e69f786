import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  demoAccessKey,
  demoProjectId,
  demoSecret,
} from "../../examples/platform/credentials.js";
import {
  serveExample,
  webhookPath,
  type RunningExample,
} from "../../examples/platform/serve.js";
import { createIndexerWebhookSender } from "../../generated/indexer/client.js";
import {
  createPlatformClient,
  InvalidArgumentError,
  NotFoundError,
  PermissionDeniedError,
  WebrpcBadRouteError,
  type PlatformClient,
} from "../../generated/index.js";
import { samples } from "./samples.js";

const contractAddress = `0x${"aB".repeat(20)}`;
const wallet = "0x1111111111111111111111111111111111111111";
const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const plainSignature = `0x${"5a".repeat(65)}`;

const printed: string[] = [];
let example: RunningExample;
let platform: PlatformClient;
beforeAll(async () => {
  example = await serveExample(0, (line) => printed.push(line));
  const { baseUrl } = example;
  platform = createPlatformClient({
    hosts: {
      api: baseUrl,
      metadata: baseUrl,
      relayer: baseUrl,
      marketplace: baseUrl,
      indexer: baseUrl,
    },
    parameters: { network: "polygon" },
    credentials: { accessKey: demoAccessKey, secret: demoSecret },
  });
});
afterAll(() => example.close());

describe("the example platform", () => {
  it("has an explorer, and serves the relayer only on its own network", async () => {
    const page = await fetch(example.baseUrl);
    expect(await page.text()).toContain("<title>Web3 platform</title>");
    const call = { method: "POST", body: "{}" };
    const status = async (network: string): Promise<number> => {
      const path = `/${network}/rpc/Relayer/AddGasSponsor`;
      return (await fetch(example.baseUrl + path, call)).status;
    };
    // The server knows the network and requires a key.
    expect(await status("hardhat")).toBe(401);
    expect(await status("31337")).toBe(401);
    expect(await status("polygon")).toBe(404);
  });

  it("quotes swap prices for the requested currencies", async () => {
    const swap = {
      buyCurrencyAddress: contractAddress,
      sellCurrencyAddress: native,
      buyAmount: "1000000",
      chainId: 137,
      slippagePercentage: 1,
    };
    const { swapPrice } = await platform.api.getSwapPrice(swap);
    expect(swapPrice).toMatchObject({
      price: "1003000",
      maxPrice: "1013030",
      transactionValue: "1013030",
    });
    const { swapPrices } = await platform.api.getSwapPrices({
      ...swap,
      userAddress: wallet,
    });
    expect(swapPrices).toHaveLength(2);
    const { swapQuote } = await platform.api.getSwapQuote({
      ...swap,
      sellCurrencyAddress: contractAddress,
      userAddress: wallet,
      includeApprove: true,
    });
    expect(swapQuote.approveData).toMatch(/^0x095ea7b3[0-9a-f]{128}$/);
  });

  it("verifies signatures", async () => {
    const check = (signature: string) =>
      platform.api.isValidSignature({
        ...samples["API.IsValidSignature"].request,
        signature,
      });
    expect(await check(plainSignature)).toEqual({ isValid: true });
    expect(await check("0x12")).toEqual({ isValid: false });
    const proof = samples["API.GetLinkedWallets"].request;
    await expect(platform.api.getLinkedWallets(proof)).rejects.toBeInstanceOf(
      PermissionDeniedError,
    );
    const { linkedWallets } = await platform.api.getLinkedWallets({
      ...proof,
      parentWalletSignature: plainSignature,
    });
    expect(linkedWallets).toHaveLength(1);
  });

  it("manages audiences", async () => {
    const { builder } = platform;
    const project = { projectId: demoProjectId };
    const contacts = async () =>
      (await builder.listAudiences(project)).audiences.map(
        ({ contactCount }) => contactCount,
      );
    expect(await contacts()).toEqual([3]);
    const audience = { ...project, audienceId: 1 };
    await builder.removeAudienceContacts({
      ...audience,
      contactIds: [2n ** 64n - 1n, 2n ** 64n - 2n],
    });
    expect(await contacts()).toEqual([2]);
    expect(await builder.deleteAudience(audience)).toEqual({ ok: true });
    expect(await contacts()).toEqual([]);
    await expect(builder.deleteAudience(audience)).rejects.toBeInstanceOf(
      NotFoundError,
    );
    await expect(
      builder.listAudiences({ projectId: 2 }),
    ).rejects.toBeInstanceOf(PermissionDeniedError);
  });

  it("stores one gas sponsor for each address", async () => {
    const add = (name: string) =>
      platform.relayer.addGasSponsor({
        projectId: demoProjectId,
        address: contractAddress,
        name,
      });
    const first = await add("one");
    const second = await add("two");
    expect(first.gasSponsor.active).toBe(true);
    expect(second.gasSponsor).toMatchObject({
      id: first.gasSponsor.id,
      name: "two",
      createdAt: first.gasSponsor.createdAt,
    });
  });

  it("finds offers and orders", async () => {
    const { marketplace } = platform;
    const offer = { contractAddress, tokenId: "1" };
    const best = await marketplace.getHighestPriceOfferForCollectible(offer);
    expect(best.order).toMatchObject({ orderId: "offer-2", chainId: 137 });
    const other = await marketplace.getHighestPriceOfferForCollectible({
      ...offer,
      filter: { createdBy: [wallet] },
    });
    expect(other.order?.orderId).toBe("offer-1");
    const none = await marketplace.getHighestPriceOfferForCollectible({
      ...offer,
      tokenId: "404",
    });
    expect(none.order).toBeNull();
    const { orders, page } = await marketplace.getOrders({
      input: ["offer-1", "nothing", "offer-3"].map((orderId) => ({
        contractAddress,
        orderId,
      })),
      page: { page: 1, pageSize: 1 },
    });
    expect(orders.map(({ orderId }) => orderId)).toEqual(["offer-1"]);
    expect(page.more).toBe(true);
    const sale = samples["Marketplace.CheckoutOptionsSalesContract"].request;
    const { options } = await marketplace.checkoutOptionsSalesContract(sale);
    expect(options.nftCheckout).toEqual(["sardine"]);
    await expect(
      marketplace.getOrders({ input: [] }, { parameters: { network: "moon" } }),
    ).rejects.toBeInstanceOf(WebrpcBadRouteError);
  });

  it("shows changed metadata after a refresh", async () => {
    const { metadata, tokens } = platform;
    const token = { chainID: "polygon", contractAddress, tokenIDs: ["7"] };
    const revision = async () =>
      (await metadata.getTokenMetadata(token)).tokenMetadata[0]
        ?.attributes?.[0]?.["value"];
    expect(await revision()).toBe(1);
    const { taskId } = await metadata.enqueueTokensForRefresh(token);
    const status = async () =>
      (await metadata.getTokenRefreshStatus({ taskId })).status;
    expect(await status()).toBe("QUEUED");
    expect(await status()).toBe("COMPLETED");
    expect(await revision()).toBe(2);
    const unknown = metadata.getTokenRefreshStatus({ taskId: 404 });
    await expect(unknown).rejects.toBeInstanceOf(NotFoundError);

    const read = await tokens.readTokenMetadata({
      network: "137",
      contractAddress,
      tokenIDs: ["7", "8"],
    });
    expect(read.tokenMetadata.map(({ tokenId }) => tokenId)).toEqual([
      "7",
      "8",
    ]);
    const batch = await metadata.getTokenMetadataBatch({
      chainID: "polygon",
      contractTokenMap: { [contractAddress]: ["7"] },
    });
    expect(batch.contractTokenMetadata[contractAddress]).toHaveLength(1);
  });

  it("describes contracts", async () => {
    const { metadata, tokens } = platform;
    const read = await tokens.readContractInfo({
      network: "polygon",
      contractAddress,
    });
    const one = await metadata.getContractInfo({
      chainID: "137",
      contractAddress,
    });
    expect(read).toEqual(one);
    const batch = await metadata.getContractInfoBatch({
      chainID: "polygon",
      contractAddresses: [contractAddress],
    });
    expect(batch.contractInfoMap).toEqual({
      [contractAddress.toLowerCase()]: one.contractInfo,
    });
    const nowhere = metadata.getContractInfo({
      chainID: "moon",
      contractAddress,
    });
    await expect(nowhere).rejects.toBeInstanceOf(InvalidArgumentError);
  });

  it("stores listeners, and sends notifications", async () => {
    const { indexer } = platform;
    const { listener } = await indexer.addWebhookListener(
      samples["Indexer.AddWebhookListener"].request,
    );
    const remove = (projectId: string) =>
      indexer.removeWebhookListener({ id: listener.id, projectId });
    await expect(remove("2")).rejects.toBeInstanceOf(PermissionDeniedError);
    const own = String(listener.projectID);
    expect(await remove(own)).toEqual({ status: true });
    await expect(remove(own)).rejects.toBeInstanceOf(NotFoundError);

    const sender = createIndexerWebhookSender({});
    const notification = samples["IndexerWebhook.Notify"].request;
    await sender.notify(example.baseUrl + webhookPath, notification);
    expect(printed.at(-1)).toContain("BLOCK_ADDED: Transfer(");
  });

  it("logs each call and its response", async () => {
    printed.length = 0;
    await platform.metadata.getTokenRefreshStatus({ taskId: 1 });
    expect(printed[0]).toBe(
      `POST /rpc/Metadata/GetTokenRefreshStatus {"taskId":1}`,
    );
    expect(printed[1]).toMatch(
      /^ {2}200 in [\d.]+ ms \{"status":"COMPLETED"\}$/,
    );
  });
});
