import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import {
  type Address,
  createPublicClient,
  createTestClient,
  custom,
  type Hash,
  http,
  isHash,
  type LocalAccount,
  parseEther,
  publicActions,
} from "viem";
import { afterAll, expect, onTestFinished } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { type ChainWallet, openChainWallet } from "../../chain/chain-wallet.js";
import { openNotifications } from "../../database/notifications.js";
import { openDatabase } from "../../database/pool.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Networks } from "../../network/networks.js";
import { requireForm } from "../../network/rpc-answers.js";
import { jobsChannel } from "../../queue/enqueue.js";
import { startRelayWorker } from "../../relaying/relay-worker.js";
import type { Relay } from "../../relaying/generated/types.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import type { WalletCall } from "../../relaying/wallet-call.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { changeGasTank } from "./change-gas-tank.js";
import { createUserWallet, signCall } from "./relaying.js";
import {
  type Answer,
  createTestProject,
  defaultSettings,
  headersOf,
  servePlatform,
} from "./serve-platform.js";
import { openTestChain, testChainId as chainId } from "./start-chain.js";
import { createMigratedDatabase, silent } from "./test-database.js";

/** Accounts in the fixtures. The user owns all wallets. */
export const accounts = createFixtureAccounts();

/** The maximum number of sponsors, which no test reaches. */
const maxSponsors = 100;

/** A request to a node. */
interface Question {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** The result of `openRelaying`. */
export type OpenRelaying = Awaited<ReturnType<typeof openRelaying>>;

/**
 * Sets up relaying on a separate chain and database, for the tests in one file.
 */
export async function openRelaying() {
  const url = await createMigratedDatabase();
  const { database } = openDatabase(url, silent);
  afterAll(() => database.destroy());
  const chain = await openTestChain();
  const { fixtures, rpcUrl } = chain;
  // Some tests raise the gas price a lot.
  const network = { ...chain.network, maxGasPriceGwei: 100_000 };
  const owner = openChainWallet(rpcUrl, chainId, accounts.owner);
  const networks = createNetworks([network], openChainClient);
  const changes = { networks: [network] };
  const platform = servePlatform(database, changes);
  const anvil = createTestClient({
    mode: "anvil",
    transport: http(rpcUrl),
  }).extend(publicActions);
  /** Another instance on the same database. */
  const second = servePlatform(database, changes);

  let walletCount = 0;
  const createWallet = (): Promise<Address> => {
    walletCount += 1;
    const place = { rpcUrl, factory: fixtures.walletFactory };
    return createUserWallet(place, chainId, `wallet ${walletCount}`);
  };

  /**
   * Returns the network with replaced responses for one method or for all
   * methods. With several nodes, only one of them replaces its responses, by
   * default the first. The others can respond late to the same requests.
   */
  const answering = (
    method: string | null,
    answer: (
      ask: () => Promise<unknown>,
      parameter: unknown,
      method: string,
    ) => unknown,
    { nodes = 1, liar = 0, slowMs = 0 } = {},
  ): Networks => {
    const rpcUrls = Array.from({ length: nodes }, (_, node) =>
      node === liar ? rpcUrl : `${rpcUrl}/?node=${node}`,
    );
    return createNetworks([{ ...network, rpcUrls }], (settings) => {
      const client = openChainClient(settings);
      const [first, ...others] = settings.rpcUrls;
      const isHonest = others.length > 0 || first !== rpcUrls[liar];
      if (isHonest && slowMs === 0) return client;
      const request = async (question: Question): Promise<unknown> => {
        const ask = (): Promise<unknown> => client.request(Object(question));
        if (method !== null && question.method !== method) return ask();
        if (isHonest) return sleep(slowMs).then(ask);
        const [parameter] = question.params ?? [];
        const { method: asked } = question;
        return requireForm(asked, await answer(ask, parameter, asked));
      };
      return createPublicClient({
        transport: custom({ request }, { retryCount: 0 }),
      });
    });
  };

  /** Runs a worker until it is stopped or the test ends. */
  const startWorking = (
    on: Networks = networks,
    log: Logger = silent,
    settings = defaultSettings,
  ): (() => Promise<void>) => {
    const notifications = openNotifications(url, jobsChannel, silent);
    const { signal: stopping } = new AbortController();
    const parts = { database, log, networks: on, settings, stopping };
    const worker = startRelayWorker(parts, notifications);
    const stop = async (): Promise<void> => {
      await worker.stop();
      await notifications.stop();
    };
    onTestFinished(stop);
    return stop;
  };

  /** Creates a project and a wallet, and functions that use them. */
  const openProject = async () => {
    const project = await createTestProject(platform.store);
    const tank = { projectId: project.id, chainId };
    const headers = headersOf(project);

    const sponsor = (address: string, active = true): Promise<unknown> =>
      saveGasSponsor(
        database,
        { ...tank, address, name: "", active },
        maxSponsors,
      );

    const fill = async (amount: bigint): Promise<void> => {
      await changeGasTank(database, tank, { amount });
    };

    const readTank = async (): Promise<bigint> => {
      const { balance } = await database
        .selectFrom("gas_tanks")
        .select("balance")
        .where("project_id", "=", project.id)
        .executeTakeFirstOrThrow();
      return BigInt(balance);
    };

    const relay = async (
      call: WalletCall,
      options: {
        readonly on?: Pick<typeof platform, "call">;
        readonly signer?: LocalAccount;
        readonly requestId?: string;
      } = {},
    ): Promise<Answer> => {
      const { on = platform, requestId, signer = accounts.user } = options;
      const message = await signCall(chainId, call, signer);
      const all = {
        ...headers,
        ...(requestId && { "x-request-id": requestId }),
      };
      return on.call("/rpc/Relaying/Relay", all, message);
    };

    const getRelay = (id: number): Promise<Relay> =>
      relayOf(platform.call("/rpc/Relaying/GetRelay", headers, { id }));

    const settled = async ({ id }: Relay): Promise<Relay> => {
      await expect
        .poll(async () => (await getRelay(id)).status)
        .not.toBe("pending");
      return getRelay(id);
    };

    const countRelays = async (): Promise<number> => {
      const { rows } = await sql<object>`
        select from relays where project_id = ${project.id}`.execute(database);
      return rows.length;
    };

    return {
      ...{ project, sponsor, fill, readTank, relay, getRelay, settled },
      countRelays,
      wallet: await createWallet(),
    };
  };

  /**
   * Creates a project that sponsors its wallet and has one ether in its tank.
   */
  const openSponsor = async () => {
    const opened = await openProject();
    await opened.sponsor(opened.wallet);
    await opened.fill(parseEther("1"));
    return opened;
  };

  /** Settles a relay on the first network. Returns what it waits for, or null. */
  const settle = async ({ all: [network] }: Networks, { id }: Relay) => {
    const parts = { database, log: silent, settings: defaultSettings };
    return network && settleRelay(parts, network, id);
  };

  return {
    ...{ url, anvil, database, chain, owner, platform, second, answering },
    ...{ createWallet, startWorking, openProject, openSponsor, settle },
  };
}

/** Returns the relay in a platform response. */
export async function relayOf(answer: Promise<Answer>): Promise<Relay> {
  const { status, body } = await answer;
  expect([status, body["error"]]).toEqual([200, undefined]);
  return Object(body["relay"]);
}

/** Returns the error name and cause in a platform response. */
export async function errorOf(answer: Promise<Answer>): Promise<string> {
  const { body } = await answer;
  return `${String(body["error"])}: ${String(body["cause"])}`;
}

/** Returns the hash of a relay's transaction. */
export function hashOf({ id, transactionHash: hash = "" }: Relay): Hash {
  if (isHash(hash)) return hash;
  throw new Error(`the relay ${id} has no transaction`);
}

/** Returns the cost of a relay's transaction on the chain. */
export async function costOf(
  owner: ChainWallet,
  relay: Relay,
): Promise<bigint> {
  const receipt = await owner.getTransactionReceipt({ hash: hashOf(relay) });
  return receipt.gasUsed * receipt.effectiveGasPrice;
}
