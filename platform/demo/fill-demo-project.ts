import type { Platform } from "../platform.js";
import { createAudience } from "../services/builder/audiences.js";
import { fillGasTank } from "../services/relayer/gas-tanks.js";

/** One unit of the native currency. */
const oneUnit = 10n ** 18n;

/** Puts into a new project what is there to try things out with. */
export async function fillDemoProject(
  { database, networks, settings }: Platform,
  projectId: number,
): Promise<void> {
  const contacts = [1n, 2n, 3n, 2n ** 64n - 1n];
  await createAudience(database, projectId, "First users", contacts);
  const network = networks.find(settings.defaultNetwork);
  if (network === null) return;
  const { chainId } = network;
  await fillGasTank(database, { projectId, chainId }, oneUnit);
}
