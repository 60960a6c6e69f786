import { sql } from "kysely";
import { type Address, parseEther, parseGwei } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { lockAccount } from "../../relaying/account-nonces.js";
import { unpaidPart } from "../../services/relayer/relay-queue.js";
import { shortages } from "../../relaying/reservations.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { accounts, openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";
import { defaultSettings } from "../support/serve-platform.js";
import { testChainId as chainId } from "../support/start-chain.js";
import { silent } from "../support/test-database.js";

const opened = await openRelaying();
const { answering, anvil, database } = opened;
const [network] = opened.platform.platform.networks.all;
if (network === undefined) throw new Error("the network is missing");
const place = { account: accounts.relayer, network };

/** More relays than a worker sends at the same time for a project. */
const relayCount = 12;

async function setBaseFee(baseFeePerGas: bigint): Promise<void> {
  await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas });
  await anvil.mine({ blocks: 1 });
}

const drainTank = ({ project }: Pick<Opened, "project">) =>
  sql`
    update gas_tanks set balance = (
      select sum(max_cost) from relays where gas_tank_id = gas_tanks.id
    )
    where project_id = ${project.id}`.execute(database);

/** Runs work while no other transaction can lock the account. */
const whileLocked = (work: () => Promise<void>): Promise<void> =>
  database.transaction().execute(async (transaction) => {
    await sql`
      set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    await lockAccount(transaction, place);
    await work();
  });

/** Accepts relays of a project, and raises the gas price. */
async function openRelays() {
  const { fill, project, relay, settled, sponsor } = await opened.openProject();
  await fill(parseEther("1"));
  const wallets: Address[] = [];
  for (let count = 0; count < relayCount; count += 1) {
    const wallet = await opened.createWallet();
    await sponsor(wallet);
    wallets.push(wallet);
  }
  await setBaseFee(1n);
  const calls = wallets.map((wallet) => relayOf(relay(callOf(wallet))));
  const relays = await Promise.all(calls);
  await setBaseFee(parseGwei("100"));
  return { fill, project, relays, settled, wallets };
}

type Opened = Awaited<ReturnType<typeof openRelays>>;

interface Shortage {
  readonly reason: string;
  /** Leaves nothing beyond what the relays have reserved. */
  readonly drain: (opened: Opened) => Promise<unknown>;
  readonly restore: (opened: Opened) => Promise<unknown>;
}

const cases: readonly Shortage[] = [
  {
    reason: shortages.tank,
    drain: drainTank,
    restore: ({ fill }) => fill(parseEther("1")),
  },
  {
    reason: shortages.sponsor,
    drain: ({ project }) =>
      sql`
        update gas_sponsors set daily_limit = max_cost
        from relays
        where gas_sponsor_id = gas_sponsors.id
          and gas_sponsors.project_id = ${project.id}`.execute(database),
    restore: async ({ project, wallets }) => {
      for (const address of wallets) {
        const changed = { projectId: project.id, chainId, address };
        const unlimited = { name: "", active: true, dailyLimit: null };
        await saveGasSponsor(database, { ...changed, ...unlimited }, 100);
      }
    },
  },
];

test.each(cases)(
  "relays do not lock the account while $reason",
  async ({ drain, reason, restore }) => {
    const all = await openRelays();
    const { project, relays, settled } = all;
    await drain(all);
    const readJobs = async (): Promise<readonly unknown[]> => {
      const { rows } = await sql`
        select part, reason from jobs
        where queue = 'relays' and key = any(${relays.map(({ id }) => String(id))})
      `.execute(database);
      return rows;
    };
    const countAttempts = async (): Promise<number> => {
      const { rows } = await sql<{ readonly attempts: number }>`
        select sum(attempts)::int as attempts from jobs
        where lane = ${`${chainId} ${project.id}`}`.execute(database);
      return rows[0]?.attempts ?? 0;
    };
    /** The attempts at the same time, and their highest number. */
    const attempts = { now: 0, most: 0 };
    const counting = answering("eth_getBalance", async (ask) => {
      attempts.now += 1;
      attempts.most = Math.max(attempts.most, attempts.now);
      return ask().finally(() => (attempts.now -= 1));
    });
    await whileLocked(async () => {
      const stop = opened.startWorking(counting);
      const unpaid = relays.map(() => ({ part: unpaidPart, reason }));
      await expect.poll(readJobs, { timeout: 20_000 }).toEqual(unpaid);
      attempts.most = 0;
      const before = await countAttempts();
      await expect.poll(countAttempts).toBeGreaterThan(before + 3);
      expect(attempts.most).toBe(1);
      await stop();
      expect(await readJobs()).toEqual(unpaid);
      await sql`
        update jobs set (run_at, due_at) =
          (now() + interval '1 hour', now() + interval '1 hour')
        where part = ${unpaidPart}`.execute(database);
      await restore(all);
      opened.startWorking();
      // The test would not show anything if this were another lock.
      const findWaiting = async (): Promise<number> => {
        const { rows: waiting } = await sql`
          select from pg_locks join pg_database on oid = database
          where datname = current_database() and locktype = 'advisory'
            and not granted`.execute(database);
        return waiting.length;
      };
      await expect.poll(findWaiting).toBeGreaterThan(0);
    });
    for (const relay of relays) {
      expect((await settled(relay)).status).toBe("done");
    }
    await expect
      .poll(readJobs)
      .not.toContainEqual({ part: unpaidPart, reason });
  },
);

test("a transaction that must not be replaced does not lock the account", async () => {
  const { project, relay, wallet } = await opened.openSponsor();
  await anvil.setAutomine(false);
  onTestFinished(() => anvil.setAutomine(true));
  await setBaseFee(1n);
  const { id } = await relayOf(relay(callOf(wallet)));
  const settings = { ...defaultSettings, fillersPerDay: 0 };
  const settle = () =>
    settleRelay({ database, log: silent, settings }, network, id);
  await settle();
  await drainTank({ project });
  await setBaseFee(parseGwei("100"));
  await whileLocked(async () => {
    expect(await settle()).toMatch(/^the account has filled 0 nonces/u);
  });
});
