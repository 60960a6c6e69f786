import type { Fixtures } from "../chain/fixtures.js";
import type { Database, Transaction } from "../database/schema.js";
import { linkWallets } from "../services/api/link-wallets.js";
import {
  createAudience,
  listAudiences,
} from "../services/builder/audiences.js";
import { changeTankWithin } from "../services/relayer/gas-tanks.js";

/** One unit of the native currency. */
const oneUnit = 10n ** 18n;

/** Fills a new project with data for trying out the platform. */
export async function fillDemoProject(
  database: Transaction,
  projectId: number,
  chainId: number,
  fixtures: Fixtures,
): Promise<void> {
  const contacts = [1n, 2n, 3n, 2n ** 64n - 1n];
  await createAudience(database, projectId, "First users", contacts);
  await linkDemoWallets(database, fixtures);
  await changeTankWithin(database, { projectId, chainId }, { amount: oneUnit });
}

/**
 * Links the embedded chain's user to two contract wallets, one of which is not
 * deployed yet, and to another account.
 */
async function linkDemoWallets(
  database: Database,
  { futureWallet, other, user, wallet }: Fixtures,
): Promise<void> {
  const parent = { walletAddress: user, chainId: null };
  await linkWallets(database, [
    { ...parent, linkedWalletAddress: wallet, walletType: "ERC1271" },
    { ...parent, linkedWalletAddress: futureWallet, walletType: "ERC6492" },
    { ...parent, linkedWalletAddress: other, walletType: "EOA" },
  ]);
}

/**
 * Returns the ID of a project's first audience that is not deleted, or null if
 * there is none.
 */
export async function findFirstAudience(
  database: Database,
  projectId: number,
): Promise<number | null> {
  const [first] = await listAudiences(database, projectId);
  return first?.id ?? null;
}
