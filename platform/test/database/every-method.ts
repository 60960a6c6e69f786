import { Registry } from "prom-client";
import { hashMessage, zeroAddress, zeroHash } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect } from "vitest";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { addressesOf } from "../../announce/ready-file.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import type { Fixtures } from "../../chain/fixtures.js";
import type { ConsoleHostClient } from "../../console/generated/client.js";
import { DeliveryState } from "../../console/generated/types.js";
import { findDueLanes, findLanes, takeJobs } from "../../queue/leases.js";
import { measureQueues } from "../../queue/metrics.js";
import { deliveryQueue } from "../../services/indexer/index-blocks.js";
import { createAudience } from "../../services/builder/audiences.js";
import { entryOf, signCall } from "../support/relaying.js";
import {
  headersOf,
  type ServedPlatform,
  type TestProject,
} from "../support/serve-platform.js";
import type { FilledPlace } from "./fill-tables.js";

/** Calls a method. Input: the number of earlier calls. */
type CallMethod = (index: number) => Promise<unknown>;

/** A call for each method of the contract. Add new methods here. */
type PlatformCalls = {
  readonly [Service in keyof PlatformClient]: {
    readonly [Method in keyof PlatformClient[Service]]: CallMethod;
  };
};

/** A call for each read method of the console. */
type ConsoleCalls = {
  readonly [Service in keyof ConsoleHostClient]: {
    readonly [
      Method in keyof ConsoleHostClient[Service] as Method extends
        `get${string}` | `list${string}`
        ? Method
        : never
    ]: CallMethod;
  };
};

/** The callers and the data that they can query. */
export interface MethodParts {
  readonly platform: ServedPlatform;
  readonly operator: ConsoleHostClient;
  readonly project: TestProject;
  readonly place: FilledPlace;
  readonly fixtures: Fixtures;
  /** The handle of the network. */
  readonly network: string;
}

/**
 * Returns calls by name: to all public methods, to the console's read methods,
 * and to the workers' queries.
 */
export async function callsOf(
  parts: MethodParts,
): Promise<ReadonlyMap<string, CallMethod>> {
  const named = [
    await callPlatform(parts),
    callConsole(parts),
    { relaying: callRelaying(parts), workers: callQueue(parts) },
  ].flatMap((services) =>
    Object.entries<Readonly<Record<string, CallMethod>>>(services).flatMap(
      ([service, methods]) =>
        Object.entries(methods).map(
          ([method, call]) => [`${service}.${method}`, call] as const,
        ),
    ),
  );
  return new Map(named);
}

const { user } = createFixtureAccounts();
const message = "This is my wallet.";

/** How often each method can be called. Removals need existing data. */
export const maxCalls = 100;

async function callPlatform(parts: MethodParts): Promise<PlatformCalls> {
  const { fixtures, network, place, platform, project } = parts;
  const { chainId, projectId } = place;
  const client = createPlatformClient({
    hosts: addressesOf("http://platform.test"),
    parameters: { network },
    credentials: project,
    fetch: platform.fetch,
  });
  const { api, builder, marketplace } = client;
  const signature = await user.signMessage({ message });
  const audiences: number[] = [];
  for (let index = 0; index < maxCalls; index += 1) {
    const database = platform.platform.database;
    audiences.push(await createAudience(database, projectId, "", [1n]));
  }
  const swap = {
    userAddress: user.address,
    sellCurrencyAddress: zeroAddress,
    buyCurrencyAddress: fixtures.dollar,
    buyAmount: "10000000",
    chainId,
  };
  return {
    api: {
      getSwapPrice: () => api.getSwapPrice(swap),
      getSwapPrices: () => api.getSwapPrices(swap),
      getSwapQuote: () => api.getSwapQuote({ ...swap, includeApprove: true }),
      isValidSignature: () =>
        api.isValidSignature({
          chainId: network,
          walletAddress: user.address,
          digest: hashMessage(message),
          signature,
        }),
      getLinkedWallets: () =>
        api.getLinkedWallets({
          parentWalletAddress: user.address,
          parentWalletMessage: message,
          parentWalletSignature: signature,
          signatureChainId: network,
        }),
    },
    builder: {
      listAudiences: () => builder.listAudiences({ projectId }),
      removeAudienceContacts: (index) =>
        builder.removeAudienceContacts({
          ...{ projectId, audienceId: place.audienceId },
          contactIds: [BigInt(index + 1)],
        }),
      deleteAudience: (index) =>
        builder.deleteAudience({
          ...{ projectId, audienceId: audiences[index] ?? 0 },
        }),
    },
    ...callIndexer(client, parts),
    marketplace: {
      getOrders: () =>
        marketplace.getOrders({
          input: [fixtures.listing, fixtures.offer].map((orderId) => ({
            ...{ contractAddress: fixtures.collectible, orderId },
          })),
        }),
      getHighestPriceOfferForCollectible: () =>
        marketplace.getHighestPriceOfferForCollectible({
          ...{ contractAddress: fixtures.collectible, tokenId: "1" },
        }),
      checkoutOptionsSalesContract: () =>
        marketplace.checkoutOptionsSalesContract({
          ...{ wallet: fixtures.other, contractAddress: fixtures.sale },
          collectionAddress: fixtures.items,
          items: [{ tokenId: "1", quantity: "2" }],
        }),
    },
    ...callMetadata(client, parts),
  };
}

function callIndexer(
  { indexer, relayer }: PlatformClient,
  { place: { projectId } }: MethodParts,
): Pick<PlatformCalls, "indexer" | "relayer"> {
  const listeners: string[] = [];
  return {
    indexer: {
      addWebhookListener: async () => {
        const { listener } = await indexer.addWebhookListener({
          url: "http://127.0.0.1:9",
          filters: { contractAddresses: [], events: ["Paused()"] },
        });
        listeners.push(listener.id);
      },
      removeWebhookListener: (index) =>
        indexer.removeWebhookListener({
          id: listeners[index] ?? "",
          projectId: String(projectId),
        }),
    },
    relayer: {
      addGasSponsor: async (index) => {
        const address = `0x${index.toString(16).padStart(40, "0")}`;
        const result = await relayer.addGasSponsor.result({
          projectId,
          address,
        });
        // The project has reached the limit, so it can change its sponsors but
        // not add any.
        expect(result.ok).toBe(index > 0);
      },
    },
  };
}

function callMetadata(
  { metadata, tokens }: PlatformClient,
  { fixtures, network, place: { contract } }: MethodParts,
): Pick<PlatformCalls, "metadata" | "tokens"> {
  const idsAt = (index: number): string[] =>
    Array.from({ length: 10 }, (_, offset) => String(10 * index + offset + 1));
  const tokensAt = (index: number) => ({
    chainID: network,
    contractAddress: contract,
    tokenIDs: idsAt(index),
  });
  const chain = { chainID: network };
  let taskId = 0;
  return {
    metadata: {
      getTokenMetadata: (index) => metadata.getTokenMetadata(tokensAt(index)),
      getTokenMetadataBatch: (index) =>
        metadata.getTokenMetadataBatch({
          ...chain,
          contractTokenMap: { [contract]: idsAt(index) },
        }),
      enqueueTokensForRefresh: async (index) => {
        const task = await metadata.enqueueTokensForRefresh(tokensAt(index));
        taskId = task.taskId;
      },
      getTokenRefreshStatus: () => metadata.getTokenRefreshStatus({ taskId }),
      getContractInfo: () =>
        metadata.getContractInfo({
          ...chain,
          contractAddress: fixtures.collectible,
        }),
      getContractInfoBatch: () =>
        metadata.getContractInfoBatch({
          ...chain,
          contractAddresses: [fixtures.collectible, fixtures.gold],
        }),
    },
    tokens: {
      readContractInfo: () =>
        tokens.readContractInfo({
          ...{ network, contractAddress: fixtures.collectible },
        }),
      readTokenMetadata: (index) =>
        tokens.readTokenMetadata({
          ...{ network, contractAddress: contract, tokenIDs: idsAt(index) },
        }),
    },
  };
}

function callConsole({ operator, network, place }: MethodParts): ConsoleCalls {
  const { audienceId, chainId, projectId } = place;
  const project = { projectId };
  const owners = [
    {},
    project,
    { projectId: 500 },
    { listenerId: 2 },
    { ...project, listenerId: 2 },
  ];
  const deliveryChoices = owners.flatMap((owner) =>
    [{}, ...Object.values(DeliveryState).map((state) => ({ state }))].map(
      (state) => ({ ...owner, ...state }),
    ),
  );
  const days = { from: "2026-01-01", to: "2026-01-31" };
  return {
    operators: {
      getSession: () => operator.operators.getSession({}),
      listFollowers: () => operator.operators.listFollowers({}),
      listNetworks: () => operator.operators.listNetworks({}),
      listNodes: () => operator.operators.listNodes({}),
    },
    projects: {
      listProjects: () => operator.projects.listProjects({}),
      getProject: () => operator.projects.getProject(project),
    },
    keys: {
      listAccessKeys: () => operator.keys.listAccessKeys(project),
      listSecretKeys: () => operator.keys.listSecretKeys(project),
    },
    audiences: {
      listAudiences: () => operator.audiences.listAudiences(project),
      getAudience: () =>
        operator.audiences.getAudience({ ...project, audienceId }),
      listContacts: () =>
        operator.audiences.listContacts({ ...project, audienceId }),
    },
    wallets: { listWalletLinks: () => operator.wallets.listWalletLinks({}) },
    gasTanks: {
      listGasTanks: () => operator.gasTanks.listGasTanks(project),
      listGasTankEntries: async () => {
        const list = operator.gasTanks.listGasTankEntries;
        const { next } = await list({ ...project, chainId });
        if (next === undefined) throw new Error("the list has no second page");
        return list({ ...project, chainId, page: { after: next } });
      },
      listRelays: () => operator.gasTanks.listRelays(project),
      getRevertReason: () =>
        operator.gasTanks.getRevertReason.result({ ...project, id: 1 }),
      getReconciliation: () => operator.gasTanks.getReconciliation(),
      listGasSponsors: () => operator.gasTanks.listGasSponsors(project),
    },
    webhooks: {
      listListeners: () => operator.webhooks.listListeners(project),
      listDeliveries: (index) => {
        const choice = deliveryChoices[index % deliveryChoices.length];
        return operator.webhooks.listDeliveries({ ...choice });
      },
      getDelivery: async () => {
        const found = await operator.webhooks.getDelivery.result({
          key: "1:a",
        });
        expect(found).toMatchObject({ ok: false, error: { name: "NotFound" } });
      },
    },
    orders: {
      getOrder: async () => {
        const order = { network, orderId: zeroHash };
        const found = await operator.orders.getOrder.result(order);
        expect(found).toMatchObject({ ok: false, error: { name: "NotFound" } });
      },
    },
    activity: {
      listRefreshTasks: () => operator.activity.listRefreshTasks(project),
      getUsage: () => operator.activity.getUsage({ ...project, ...days }),
      listCalls: () => operator.activity.listCalls(project),
      listActions: () => operator.activity.listActions(project),
    },
  };
}

/** Returns calls to methods that are not part of the contract. */
function callRelaying({ fixtures, place, platform, project }: MethodParts) {
  const headers = headersOf(project);
  const post = async (method: string, message: object): Promise<unknown> => {
    const path = `/rpc/Relaying/${method}`;
    const { body, status } = await platform.call(path, headers, message);
    expect([status, body["cause"]]).toEqual([200, undefined]);
    return Object(body["relay"]).id;
  };
  let id: unknown = 0;
  return {
    relay: async () => {
      const guest = privateKeyToAccount(generatePrivateKey());
      const call = entryOf(guest, fixtures.guestbook);
      id = await post("Relay", await signCall(place.chainId, call, guest));
    },
    getRelay: () => post("GetRelay", { id }),
  };
}

function callQueue({ platform }: MethodParts) {
  const { database } = platform.platform;
  const registry = new Registry();
  measureQueues(registry, database, 1000);
  return {
    takeJobs: async () => {
      const lanes = await findDueLanes(database, deliveryQueue, 60_000);
      const chosen = new Map(lanes.slice(0, 8).map((lane) => [lane, 8]));
      await takeJobs(database, deliveryQueue, chosen, 10_000);
    },
    findLanes: () => findLanes(database, deliveryQueue),
    measureQueues: () => registry.metrics(),
  };
}
