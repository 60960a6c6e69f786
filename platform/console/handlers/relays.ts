import { sql } from "kysely";
import { getAddress } from "viem";

import type { RelayState } from "../../database/tables/relaying.js";
import { nodeTextIn, readChain } from "../../network/read-chain.js";
import { relayQueue } from "../../services/relayer/relay-queue.js";
import { checkAccount, checkTanks } from "../../relaying/reconcile.js";
import type { RelayRow } from "../../relaying/stored-relay.js";
import type { GasTanksHandler } from "../generated/server.js";
import type { AccountCheck, Relay, TankCheck } from "../generated/types.js";
import { readPartById } from "../lists/paging.js";
import { notFound, requireProject } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

const maxTanks = 100;

/** Creates the methods for relays and for the money that they cost. */
export function createRelaysHandler({
  platform,
  store: { database },
}: ConsoleParts) {
  return {
    listRelays: async ({ page, projectId, requestId, status }) => {
      await requireProject(database, projectId);
      const { items, next } = await readPartById(
        page,
        async (before, limit) => {
          const { rows } = await sql<ListedRelay>`
            select relays.*, jobs.reason from relays
            left join jobs on queue = ${relayQueue} and key = relays.id::text
            where project_id = ${projectId} and relays.id < ${before}
              and (${status ?? null}::text is null or state = ${status ?? null})
              and (${requestId ?? null}::text is null or request_id = ${requestId ?? null})
            order by relays.id desc limit ${limit}`.execute(database);
          return rows;
        },
      );
      return { relays: items.map(toRelay), ...next };
    },

    getRevertReason: async ({ id, projectId }) => {
      const row = await database
        .selectFrom("relays")
        .selectAll()
        .where("id", "=", id)
        .where("project_id", "=", projectId)
        .where("state", "=", "reverted")
        .executeTakeFirst();
      const network = platform.networks.find(String(row?.chain_id));
      if (row === undefined || network === null) {
        return notFound("id", `the project has no reverted relay ${id}`);
      }
      if (row.nonce_used) return { reason: usedNonce };
      let reason = "";
      await readChain(network, (client) =>
        client
          .call({
            to: getAddress(row.forwarder ?? row.wallet),
            ...{ data: row.data, gas: BigInt(row.gas) },
            blockNumber: BigInt(Math.max((row.block_number ?? 1) - 1, 0)),
          })
          .catch((error: unknown) => {
            reason = nodeTextIn(error, network);
            throw error;
          }),
      );
      return { reason };
    },

    getReconciliation: async () => ({
      tanks: toTankChecks(await checkTanks(database)),
      accounts: await checkAccounts(platform),
    }),
  } satisfies Partial<GasTanksHandler<OperatorState>>;
}

function toTankChecks(
  checks: Awaited<ReturnType<typeof checkTanks>>,
): TankCheck[] {
  const wrongFirst = [...checks].sort(
    (one, other) =>
      Number(one.difference === 0n) - Number(other.difference === 0n),
  );
  return wrongFirst.slice(0, maxTanks).map((tank) => ({
    projectId: tank.projectId,
    chainId: tank.chainId,
    balance: String(tank.balance),
    filled: String(tank.filled),
    paid: String(tank.paid),
    reserved: String(tank.reserved),
    difference: String(tank.difference),
  }));
}

/** Checks all accounts whose chains respond. */
async function checkAccounts({
  database,
  networks,
  settings,
}: ConsoleParts["platform"]): Promise<AccountCheck[]> {
  const checks = networks.all.map((network) =>
    checkAccount(database, settings, network).catch(() => null),
  );
  const found = (await Promise.all(checks)).flatMap((each) => each ?? []);
  return found.map((each) => ({
    chainId: each.chainId,
    account: each.account,
    balance: String(each.current),
    reserved: String(each.reserved),
    paid: String(each.paid),
    difference: String(each.difference),
    lost: String(each.lost),
    unknown: each.unknown,
    foreign: each.foreign,
  }));
}

/** Why a failed call may have been made nevertheless. */
const usedNonce =
  "another transaction may have used the nonce of the call and made it";

interface ListedRelay extends RelayRow {
  /** The last reason of its job, or null if it has none. */
  readonly reason: string | null;
}

function toRelay(row: ListedRelay): Relay {
  const { state, transaction_hash: transactionHash } = row;
  const { request_id: requestId } = row;
  const reasons: Partial<Record<RelayState, string | null>> = {
    pending: row.reason,
    expired: row.wait_reason,
  };
  const reason = row.nonce_used ? usedNonce : (reasons[state] ?? null);
  return {
    id: row.id,
    chainId: row.chain_id,
    wallet: row.wallet,
    status: state,
    ...(reason !== null && { reason }),
    ...(transactionHash !== null && { transactionHash }),
    cost: row.cost,
    maxCost: row.max_cost,
    ...(requestId !== null && { requestId }),
    createdAt: row.created_at.toISOString(),
  };
}
