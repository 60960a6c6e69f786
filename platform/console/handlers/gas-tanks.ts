import type { Row } from "../../database/schema.js";
import {
  readSpending,
  type Spending,
} from "../../relaying/sponsor-spending.js";
import {
  deleteGasSponsor,
  saveGasSponsor,
  toGasSponsor,
} from "../../services/relayer/gas-sponsors.js";
import {
  changeTankWithin,
  type GasTankPlace,
  type TankChange,
} from "../../services/relayer/gas-tanks.js";
import { settleAction } from "../sign-in/audit.js";
import type { GasTanksHandler } from "../generated/server.js";
import type { GasSponsor, GasTank, GasTankEntry } from "../generated/types.js";
import {
  listTankEntries,
  listTanks,
  type ReservedTank,
  type TankEntry,
} from "../lists/gas-tank-lists.js";
import { readPart, readPartById, readRows } from "../lists/paging.js";
import {
  notFound,
  requireChain,
  requireProject,
} from "../lists/require-project.js";
import { createRelaysHandler } from "./relays.js";
import type {
  ConsoleParts,
  OperatorContext,
  OperatorState,
} from "../sign-in/console-parts.js";

/** Creates the handler for gas tanks and sponsors. */
export function createGasTanksHandler(
  parts: ConsoleParts,
): GasTanksHandler<OperatorState> {
  const { answers, platform, store } = parts;
  const { database } = store;
  const change = async (
    {
      projectId,
      chainId,
      ...change
    }: GasTankPlace & Pick<TankChange, "key" | "reason">,
    context: OperatorContext,
    amount: bigint,
  ) => {
    await requireProject(database, projectId);
    requireChain(platform.networks, chainId);
    const place = { projectId, chainId };
    const { state } = context;
    const { operator } = state;
    const gasTank = await answers.join(context, async (transaction) => {
      const entry = { ...change, amount, operator };
      const { id } = await changeTankWithin(transaction, place, entry);
      const [tank] = await listTanks(transaction, projectId, id + 1, 1);
      if (tank === undefined) throw new Error("the tank was not found");
      await settleAction(transaction, state, null);
      return toGasTank(tank);
    });
    // The transaction can still be open, so other connections cannot do this.
    state.actionId = null;
    return { gasTank };
  };
  return {
    ...createSponsorsHandler(parts),
    ...createRelaysHandler(parts),

    listGasTanks: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const { items, next } = await readPartById(page, (before, limit) =>
        listTanks(database, projectId, before, limit),
      );
      return { gasTanks: items.map(toGasTank), ...next };
    },

    fillGasTank: ({ amount, ...request }, context) =>
      change(request, context, BigInt(amount)),

    correctGasTank: ({ amount, ...request }, context) =>
      change(request, context, -BigInt(amount)),

    listGasTankEntries: async ({ page, ...place }) => {
      await requireProject(database, place.projectId);
      const { items, next } = await readPart(
        page,
        (after, limit) => listTankEntries(database, place, after, limit),
        ({ id }) => id,
      );
      return { entries: items.map(toEntry), ...next };
    },
  };
}

/** Creates the methods for gas sponsors. */
function createSponsorsHandler({
  platform,
  store: { database },
}: ConsoleParts) {
  return {
    listGasSponsors: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const rows = database
        .selectFrom("gas_sponsors")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("deleted_at", "is", null);
      const { items, next } = await readRows(rows, page);
      const spendingOf = await readSpending(database, items);
      const gasSponsors = items.map((row) => toSponsor(row, spendingOf(row)));
      return { gasSponsors, ...next };
    },

    saveGasSponsor: async (request) => {
      const { active = true, dailyLimit, name = "", ...sponsor } = request;
      await requireProject(database, sponsor.projectId);
      requireChain(platform.networks, sponsor.chainId);
      const limit = dailyLimit === "none" ? null : dailyLimit;
      const wanted = { ...sponsor, active, name, dailyLimit: limit };
      const max = platform.settings.sponsorsPerProject;
      const row = await saveGasSponsor(database, wanted, max);
      const spendingOf = await readSpending(database, [row]);
      return { gasSponsor: toSponsor(row, spendingOf(row)) };
    },

    deleteGasSponsor: async ({ id, projectId }) => {
      if (await deleteGasSponsor(database, projectId, id)) return {};
      return notFound("id", `the project has no gas sponsor ${id}`);
    },
  } satisfies Partial<GasTanksHandler<OperatorState>>;
}

function toSponsor(row: Row<"gas_sponsors">, spending: Spending): GasSponsor {
  const { daily_limit: dailyLimit } = row;
  return {
    ...{ ...toGasSponsor(row), ...spending },
    ...(dailyLimit !== null && { dailyLimit }),
  };
}

function toGasTank(row: ReservedTank): GasTank {
  return {
    id: row.id,
    projectId: row.project_id,
    chainId: row.chain_id,
    balance: row.balance,
    reserved: row.reserved,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toEntry(entry: TankEntry): GasTankEntry {
  const { amount, at, id, operator, reason, relayId, transactionHash } = entry;
  const isFill = !amount.startsWith("-");
  return {
    id,
    kind: relayId !== null ? "relay" : isFill ? "fill" : "correction",
    amount,
    createdAt: at.toISOString(),
    ...(operator !== null && { operator }),
    ...(reason !== null && { reason }),
    ...(relayId !== null && { relayId }),
    ...(transactionHash !== null && { transactionHash }),
  };
}
