import { sql } from "kysely";
import { type Address, parseEther, parseGwei, zeroAddress } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { lockAccount } from "../../relaying/account-nonces.js";
import { unpaidParts } from "../../services/relayer/relay-queue.js";
import type { Relay } from "../../relaying/generated/types.js";
import { shortages } from "../../relaying/reservations.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { accounts, openRelaying, relayOf } from "../support/open-relaying.js";
import { changeGasTank } from "../support/change-gas-tank.js";
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

const postpone = sql`
  update jobs set (run_at, due_at) =
    (now() + interval '1 hour', now() + interval '1 hour')`;

/** Reads the parts of relays' jobs, and the reasons why the relays wait. */
async function readJobsOf(
  relays: readonly Relay[],
): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select part, reason from jobs
    where queue = 'relays' and key = any(${relays.map(({ id }) => String(id))})
    order by id`.execute(database);
  return rows;
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

/**
 * Accepts relays of a project, and raises the gas price. The project sponsors
 * the target of the calls, and one wallet on its own.
 */
async function openRelays(count = relayCount) {
  const { fill, project, relay, settled, sponsor, wallet } =
    await opened.openProject();
  // Relays of other tests do not take part.
  await postpone.execute(database);
  await fill(parseEther("1"));
  // The first sponsor that can pay for a call does.
  await sponsor(wallet);
  await sponsor(zeroAddress);
  const { id: sponsorId } = await database
    .selectFrom("gas_sponsors")
    .select("id")
    .where("project_id", "=", project.id)
    .where("address", "=", zeroAddress)
    .executeTakeFirstOrThrow();
  const wallets: Address[] = [];
  while (wallets.length < count) wallets.push(await opened.createWallet());
  await setBaseFee(1n);
  const accept = (from: Address) => relayOf(relay(callOf(from)));
  const relays = await Promise.all(wallets.map(accept));
  await setBaseFee(parseGwei("100"));
  const tank = { projectId: project.id, chainId };
  /** Changes the limit of the target's sponsor. */
  const limit = async (dailyLimit: string | null): Promise<void> => {
    const changed = { ...tank, address: zeroAddress, dailyLimit };
    await saveGasSponsor(database, { ...changed, name: "", active: true }, 100);
  };
  const acceptOwn = () => accept(wallet);
  const rest = { acceptOwn, limit, sponsor, sponsorId, tank };
  return { fill, project, relays, settled, ...rest };
}

type Opened = Awaited<ReturnType<typeof openRelays>>;

interface Shortage {
  readonly reason: string;
  /** The part in which the relays wait. */
  readonly partOf: (opened: Opened) => string;
  /** Leaves nothing beyond what the relays have reserved. */
  readonly drain: (opened: Opened) => Promise<unknown>;
  readonly restore: (opened: Opened) => Promise<unknown>;
}

const cases: readonly Shortage[] = [
  {
    reason: shortages.tank,
    partOf: () => unpaidParts.tank,
    drain: drainTank,
    restore: ({ fill }) => fill(parseEther("1")),
  },
  {
    reason: shortages.sponsor,
    partOf: ({ sponsorId }) => unpaidParts.sponsor(sponsorId),
    drain: ({ limit }) => limit("1"),
    restore: ({ limit }) => limit(null),
  },
];

test.each(cases)(
  "relays do not lock the account while $reason",
  async ({ drain, partOf, reason, restore }) => {
    const all = await openRelays();
    const { project, relays, settled } = all;
    const part = partOf(all);
    await drain(all);
    const readJobs = () => readJobsOf(relays);
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
      const unpaid = relays.map(() => ({ part, reason }));
      await expect.poll(readJobs, { timeout: 60_000 }).toEqual(unpaid);
      attempts.most = 0;
      const before = await countAttempts();
      await expect.poll(countAttempts).toBeGreaterThan(before + 3);
      expect(attempts.most).toBe(1);
      await stop();
      expect(await readJobs()).toEqual(unpaid);
      await sql`${postpone} where part = ${part}`.execute(database);
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
    await expect.poll(readJobs).not.toContainEqual({ part, reason });
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

test("a relay that the account cannot pay does not lock it", async () => {
  const { relay, wallet } = await opened.openSponsor();
  const { id } = await relayOf(relay(callOf(wallet)));
  const [poor] = answering("eth_getBalance", () => "0x0").all;
  if (poor === undefined) throw new Error("the network is missing");
  const parts = { database, log: silent, settings: defaultSettings };
  await whileLocked(async () => {
    expect(await settleRelay(parts, poor, id)).toBe(
      "the account's balance is too low",
    );
  });
});

test("a sponsor at its limit does not delay relays of other sponsors", async () => {
  const all = await openRelays();
  const { acceptOwn, fill, limit, relays, settled, sponsorId } = all;
  await setBaseFee(1n);
  const own = await acceptOwn();
  await setBaseFee(parseGwei("100"));
  await drainTank(all);
  await limit("1");
  /** Attempts that wait, and their number at which all of them go on. */
  const held: (() => void)[] = [];
  let size = 0;
  const release = (): void => {
    size = 0;
    for (const resolve of held.splice(0)) resolve();
  };
  const holding = answering("eth_getBalance", async (ask) => {
    if (size > 0) {
      await new Promise<void>((resolve) => {
        held.push(resolve);
        if (held.length === size) release();
      });
    }
    return ask();
  });
  opened.startWorking(holding);
  onTestFinished(release);
  const unpaid = { part: unpaidParts.tank, reason: shortages.tank };
  await expect
    .poll(() => readJobsOf([...relays, own]), { timeout: 60_000 })
    .toEqual([...relays, own].map(() => unpaid));
  // The only attempt of the paused part continues after the tank is filled.
  size = Infinity;
  await expect.poll(() => held.length).toBe(1);
  await fill(parseEther("1"));
  const [first] = held.splice(0);
  size = 3;
  first?.();
  expect((await settled(own)).status).toBe("done");
  // The others no longer wait for the tank, so its part is not paused.
  expect(size).toBe(0);
  const limited = {
    part: unpaidParts.sponsor(sponsorId),
    reason: shortages.sponsor,
  };
  await expect
    .poll(() => readJobsOf(relays))
    .toEqual(relays.map(() => limited));
});

test("only makes relays due that are not and that can be paid now", async () => {
  const { fill, limit, relays, sponsor, sponsorId, tank } = await openRelays(4);
  const [first, second, third, fourth] = relays.map(({ id }) => String(id));
  const place = async (
    part: string,
    due: string | undefined,
    later: string | undefined,
  ): Promise<void> => {
    await sql`
      update jobs set part = ${part}, due_at = now() - interval '1 hour'
      where queue = 'relays' and key in (${due}, ${later})`.execute(database);
    await sql`
      ${postpone} where queue = 'relays' and key = ${later}`.execute(database);
  };
  await place(unpaidParts.tank, first, second);
  await place(unpaidParts.sponsor(sponsorId), third, fourth);
  const readDue = async () => {
    const rows = await database
      .selectFrom("jobs")
      .select(["key", "due_at"])
      .where("queue", "=", "relays")
      .execute();
    return new Map(rows.map(({ due_at: due, key }) => [key, Number(due)]));
  };
  const changedBy = async (change: () => Promise<unknown>) => {
    const before = await readDue();
    await change();
    const after = [...(await readDue())];
    return after.flatMap(([key, due]) => (due === before.get(key) ? [] : key));
  };
  expect(await changedBy(() => sponsor(zeroAddress))).toEqual([]);
  const taken = { amount: -1n };
  expect(await changedBy(() => changeGasTank(database, tank, taken))).toEqual(
    [],
  );
  expect(await changedBy(() => fill(1n))).toEqual([second]);
  expect(await changedBy(() => limit(null))).toEqual([fourth]);
});

test("expired relays do not wait for their turn among unpaid ones", async () => {
  const all = await openRelays();
  const { relays, settled } = all;
  const [first, ...others] = relays;
  await drainTank(all);
  const ids = others.map(({ id }) => id);
  await sql`update relays set deadline = 1 where id = any(${ids})`.execute(
    database,
  );
  const keys = ids.map(String);
  await sql`
    ${postpone}, part = ${unpaidParts.tank}
    where queue = 'relays' and key = any(${keys})`.execute(database);
  opened.startWorking();
  for (const relay of others) {
    expect((await settled(relay)).status).toBe("expired");
  }
  expect(await readJobsOf(first === undefined ? [] : [first])).toEqual([
    { part: unpaidParts.tank, reason: shortages.tank },
  ]);
});
