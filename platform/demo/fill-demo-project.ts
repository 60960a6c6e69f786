import type { Kysely } from "kysely";

import type { Fixtures } from "../chain/fixtures.js";
import type { Tables } from "../database/schema.js";
import type { Platform } from "../platform.js";
import { linkWallets } from "../services/api/link-wallets.js";
import { createAudience } from "../services/builder/audiences.js";
import { fillGasTank } from "../services/relayer/gas-tanks.js";

/** One unit of the native currency. */
const oneUnit = 10n ** 18n;

/** Puts into a new project what is there to try things out with. */
export async function fillDemoProject(
  { database, networks, settings }: Platform,
  projectId: number,
  fixtures: Fixtures | null,
): Promise<void> {
  const contacts = [1n, 2n, 3n, 2n ** 64n - 1n];
  await createAudience(database, projectId, "First users", contacts);
  if (fixtures !== null) await linkDemoWallets(database, fixtures);
  const network = networks.find(settings.defaultNetwork);
  if (network === null) return;
  const { chainId } = network;
  await fillGasTank(database, { projectId, chainId }, oneUnit);
}

/** The user of the embedded chain, with a wallet of its own and a friend's. */
function linkDemoWallets(
  database: Kysely<Tables>,
  { futureWallet, other, user, wallet }: Fixtures,
): Promise<void> {
  return linkWallets(database, [
    {
      walletAddress: user,
      linkedWalletAddress: wallet,
      walletType: "ERC1271",
    },
    {
      walletAddress: user,
      linkedWalletAddress: futureWallet,
      walletType: "ERC6492",
    },
    { walletAddress: user, linkedWalletAddress: other, walletType: "EOA" },
  ]);
}
