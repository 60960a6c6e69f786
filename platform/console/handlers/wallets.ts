import type { Row } from "../../database/schema.js";
import { linkWallets, unlinkWallets } from "../../services/api/link-wallets.js";
import type { WalletsHandler } from "../generated/server.js";
import type { WalletLink } from "../generated/types.js";
import { readRows } from "../lists/paging.js";
import { notFound } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

/** Creates the handler for links between wallets. */
export function createWalletsHandler({
  store: { database },
}: ConsoleParts): WalletsHandler<OperatorState> {
  return {
    listWalletLinks: async ({ page, walletAddress }) => {
      const wallet = walletAddress?.toLowerCase();
      let rows = database.selectFrom("linked_wallets").selectAll();
      if (wallet !== undefined) {
        rows = rows.where((either) =>
          either.or([
            either("wallet_address", "=", wallet),
            either("linked_wallet_address", "=", wallet),
          ]),
        );
      }
      const { items, next } = await readRows(rows, page);
      return { walletLinks: items.map(toWalletLink), ...next };
    },

    addWalletLink: async ({ chainId, walletType, ...wallets }) => {
      const link = {
        ...wallets,
        chainId: chainId ?? null,
        walletType: walletType ?? null,
      };
      const [row] = await linkWallets(database, [link]);
      if (row === undefined) throw new Error("the new link was not found");
      return { walletLink: toWalletLink(row) };
    },

    removeWalletLink: async ({ id }) => {
      if (await unlinkWallets(database, id)) return {};
      return notFound("id", `there is no link ${id}`);
    },
  };
}

function toWalletLink(row: Row<"linked_wallets">): WalletLink {
  const { chain_id: chainId, wallet_type: walletType } = row;
  return {
    id: row.id,
    walletAddress: row.wallet_address,
    linkedWalletAddress: row.linked_wallet_address,
    ...(chainId !== null && { chainId }),
    ...(walletType !== null && { walletType }),
    createdAt: row.created_at.toISOString(),
  };
}
