import { sql } from "kysely";
import { type Address, parseEther, parseGwei } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";

import { isSample } from "../../../test/support/draw-some.js";
import type { Networks } from "../../network/networks.js";
import { checkAccount, storeDaily } from "../../relaying/reconcile.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import { createRandom, pick } from "../crash/random.js";
import { costOf, openRelaying, relayOf } from "../support/open-relaying.js";
import { malformedValues } from "../support/malformed-answers.js";
import { callOf } from "../support/relaying.js";
import { defaultSettings, servePlatform } from "../support/serve-platform.js";
import { silent } from "../support/test-database.js";

const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
const wanted = Number(process.env["RIDLKIT_RELAYS"] ?? (isSample ? 20 : 60));

const opened = await openRelaying();
const { answering, anvil, createWallet, database, openSponsor, owner } = opened;
const { networks } = opened.platform.platform;

const relayKey = generatePrivateKey();
const account = privateKeyToAccount(relayKey);
await anvil.setBalance({ address: account.address, value: parseEther("9") });
const settings = { ...defaultSettings, embeddedChain: null, relayKey };
const on = servePlatform(database, {
  networks: networks.all,
  ...{ embeddedChain: null, relayKey },
});

type Random = () => number;

/** Replaces one part of a response, usually a number by another one. */
function distort(answer: unknown, random: Random): unknown {
  if (typeof answer === "string") {
    if (!/^0x[0-9a-f]{1,64}$/iu.test(answer)) return answer;
    const number = BigInt(answer);
    const [most, exact] = [2n ** 64n - 1n, 2n ** 53n - 1n];
    const near = [number + 1n, number / 2n, number * 2n, number * 1000n];
    const digits = pick(random, [0n, 1n, exact, most, ...near]).toString(16);
    // A hash keeps its length.
    const length = answer.length > 34 ? answer.length - 2 : 0;
    return `0x${digits.padStart(length, "0")}`;
  }
  if (typeof answer !== "object" || answer === null) return answer;
  const entries = Object.entries(answer);
  if (entries.length === 0) return answer;
  const [name, value] = pick(random, entries);
  const changed =
    random() < 0.1 ? pick(random, malformedValues) : distort(value, random);
  return Array.isArray(answer)
    ? answer.with(Number(name), changed)
    : { ...answer, [name]: changed };
}

/** Opens nodes, the first of which answers almost nothing as it is. */
function openLying(nodes: number, random: Random): Networks {
  const last = new Map<string, unknown>();
  const lie = async (
    ask: () => Promise<unknown>,
    _: unknown,
    method: string,
  ): Promise<unknown> => {
    const chance = random();
    if (chance < 0.1) throw new Error("no response");
    if (method === "eth_sendRawTransaction" && chance < 0.5) return null;
    const before = last.get(method);
    const answer = await ask();
    last.set(method, answer);
    if (chance < 0.2) return answer;
    if (chance < 0.3) return pick(random, malformedValues);
    return chance < 0.4 ? (before ?? answer) : distort(answer, random);
  };
  return answering(null, lie, { nodes });
}

const settle = ({ all: [network] }: Networks, id: number) => {
  if (network === undefined) throw new Error("there is no network");
  const parts = { database, log: silent, settings };
  return settleRelay(parts, network, id);
};

/** Compares the relaying account with the last stored check. */
async function check() {
  await anvil.mine({ blocks: 70 });
  const [network] = networks.all;
  const found = network && (await checkAccount(database, settings, network));
  if (!found) throw new Error("there is no relaying account");
  return found;
}

const transactionsOf = () =>
  database
    .selectFrom("relay_transactions")
    .selectAll()
    .where("account", "=", account.address.toLowerCase())
    .execute();

test.each([2, 3])(
  `one of %i nodes that lies in almost every response moves no money (seed ${seed})`,
  async (nodes) => {
    const random = createRandom(seed);
    const lying = openLying(nodes, random);
    const { fill, getRelay, readTank, relay, sponsor } = await openSponsor();
    await fill(parseEther("1000"));
    const filled = await readTank();
    const wallets: Address[] = [];
    for (let count = 0; count < wanted; count += 1) {
      const wallet = await createWallet();
      await sponsor(wallet);
      wallets.push(wallet);
    }
    const before = await check();
    await storeDaily(database, before);
    const ids: number[] = [];
    for (const wallet of wallets) {
      const { id } = await relayOf(relay(callOf(wallet), { on }));
      ids.push(id);
      await anvil.setAutomine(random() < 0.5);
      for (const each of ids.slice(-6)) {
        // Some lies are no valid responses.
        await settle(lying, each).catch(() => undefined);
        if (random() < 0.3) await anvil.mine({ blocks: 1 });
      }
      if (random() < 0.2) {
        await sql`
          update relay_transactions
          set created_at = created_at - interval '61 seconds'`.execute(
          database,
        );
        await anvil.mine({ blocks: 4 });
      }
    }
    const signed = await transactionsOf();
    expect(signed.filter((each) => each.relay_id === null)).toEqual([]);
    await anvil.setAutomine(true);
    const countPending = async (): Promise<number> => {
      for (const id of ids) await settle(networks, id);
      await anvil.mine({ blocks: 1 });
      const relays = await Promise.all(ids.map(getRelay));
      return relays.filter(({ status }) => status === "pending").length;
    };
    await expect.poll(countPending).toBe(0);
    let total = 0n;
    for (const id of ids) {
      const done = await getRelay(id);
      expect(done.status).toBe("done");
      const cost = await costOf(owner, done);
      const sent = signed.filter((each) => each.relay_id === id);
      // A node of the chain suggests a tip of one gwei, at a low base fee.
      if (sent.length === 1) {
        expect(cost / BigInt(done.gasUsed ?? 1)).toBeLessThan(parseGwei("2"));
      }
      total += cost;
    }
    expect(filled - (await readTank())).toBe(total);
    const { difference, paid, unknown } = await check();
    expect(paid - before.paid).toBe(total);
    expect({ difference, unknown }).toEqual({ difference: 0n, unknown: 0 });
  },
);
