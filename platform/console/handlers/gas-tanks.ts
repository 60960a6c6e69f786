import {
  deleteGasSponsor,
  saveGasSponsor,
  toGasSponsor,
} from "../../services/relayer/gas-sponsors.js";
import { fillGasTank } from "../../services/relayer/gas-tanks.js";
import type { GasTanksHandler } from "../generated/server.js";
import type { GasTank, GasTankEntry } from "../generated/types.js";
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
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

/** Creates the handler for gas tanks and sponsors. */
export function createGasTanksHandler(
  parts: ConsoleParts,
): GasTanksHandler<OperatorState> {
  const { platform, store } = parts;
  const { database } = store;
  return {
    ...createSponsorsHandler(parts),

    listGasTanks: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const { items, next } = await readPartById(page, (before, limit) =>
        listTanks(database, projectId, before, limit),
      );
      return { gasTanks: items.map(toGasTank), ...next };
    },

    fillGasTank: async ({ amount, chainId, projectId }, { state }) => {
      await requireProject(database, projectId);
      requireChain(platform.networks, chainId);
      const place = { projectId, chainId };
      const filled = BigInt(amount);
      const { id } = await fillGasTank(database, place, filled, state.operator);
      const [tank] = await listTanks(database, projectId, id + 1, 1);
      if (tank === undefined) throw new Error("the filled tank was not found");
      return { gasTank: toGasTank(tank) };
    },

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

type SponsorMethods = "listGasSponsors" | "saveGasSponsor" | "deleteGasSponsor";

function createSponsorsHandler({
  platform,
  store: { database },
}: ConsoleParts): Pick<GasTanksHandler<OperatorState>, SponsorMethods> {
  return {
    listGasSponsors: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const rows = database
        .selectFrom("gas_sponsors")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("deleted_at", "is", null);
      const { items, next } = await readRows(rows, page);
      return { gasSponsors: items.map(toGasSponsor), ...next };
    },

    saveGasSponsor: async ({ active = true, name = "", ...sponsor }) => {
      await requireProject(database, sponsor.projectId);
      requireChain(platform.networks, sponsor.chainId);
      const wanted = { ...sponsor, active, name };
      const max = platform.settings.sponsorsPerProject;
      return { gasSponsor: await saveGasSponsor(database, wanted, max) };
    },

    deleteGasSponsor: async ({ id, projectId }) => {
      if (await deleteGasSponsor(database, projectId, id)) return {};
      return notFound("id", `the project has no gas sponsor ${id}`);
    },
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
  const { amount, at, id, operator, relayId, transactionHash } = entry;
  return {
    id,
    kind: relayId === null ? "fill" : "relay",
    amount,
    createdAt: at.toISOString(),
    ...(operator !== null && { operator }),
    ...(relayId !== null && { relayId }),
    ...(transactionHash !== null && { transactionHash }),
  };
}
