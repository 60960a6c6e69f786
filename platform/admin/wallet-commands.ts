import type { ConsoleHostClient } from "../console/generated/client.js";
import type {
  DeleteGasSponsorRequest,
  RelayStatus,
} from "../console/generated/types.js";
import { command, CommandError, type Output, UsageError } from "./command.js";
import { listCommand, printRows, show } from "./output.js";

function toStatus(text: string): RelayStatus {
  const statuses = ["pending", "done", "reverted", "expired"] as const;
  const status = statuses.find((each) => each === text);
  if (status !== undefined) return status;
  throw new UsageError(`expected one of ${statuses.join(", ")}`);
}

/** Commands for wallet links, gas tanks and sponsors. */
export const walletCommands = [
  command(
    "link add <wallet> <linked wallet> [chain id] [--kind <kind>]",
    "links a wallet to a parent wallet and prints the link's ID; a parent that is a contract needs its chain ID",
    async ({ client }, request) => {
      const { walletLink } = await client.wallets.addWalletLink(request);
      return show(walletLink, walletLink.id);
    },
  ),
  listCommand(
    "link list [wallet]",
    "lists links, optionally only those of one wallet",
    "walletLinks",
    ({ wallets }, request) => wallets.listWalletLinks(request),
  ),
  command("link remove <link>", "removes a link", async ({ client }, request) =>
    show(await client.wallets.removeWalletLink(request), "removed"),
  ),
  listCommand(
    "tank list <project>",
    "lists gas tanks",
    "gasTanks",
    ({ gasTanks }, request) => gasTanks.listGasTanks(request),
  ),
  command(
    "tank fill <project> <chain id> <amount>",
    "adds an amount, in the smallest unit, to the gas tank on a chain",
    async ({ client }, request) => {
      const { gasTank } = await client.gasTanks.fillGasTank(request);
      return show(gasTank, "filled");
    },
  ),
  command(
    "tank correct <project> <chain id> <amount> <reason>",
    "takes an amount, in the smallest unit, out of the gas tank on a chain, for example after a fill by mistake",
    async ({ client }, request) => {
      const { gasTank } = await client.gasTanks.correctGasTank(request);
      return show(gasTank, "corrected");
    },
  ),
  listCommand(
    "tank entries <project> <chain id>",
    "lists the entries of a gas tank: amounts added and payments",
    "entries",
    ({ gasTanks }, request) => gasTanks.listGasTankEntries(request),
  ),
  command(
    "tank reconcile",
    "compares the balances of all gas tanks and relaying accounts with what they must be; a difference of an account is what it received or, if negative, lost",
    async ({ client }) => {
      const found = await client.gasTanks.getReconciliation();
      const wrong = found.tanks.filter(({ difference }) => difference !== "0");
      const tanks =
        wrong.length === 0 ? "all gas tanks reconcile" : printRows(wrong);
      return show(found, `${tanks}\n\n${printRows(found.accounts)}`);
    },
  ),
  listCommand(
    "relay list <project> [status]",
    "lists relays, optionally only those that are pending, done, reverted or expired, with the reason why they are pending",
    "relays",
    ({ gasTanks }, { status, ...request }) =>
      gasTanks.listRelays({
        ...request,
        ...(status !== undefined && { status: toStatus(status) }),
      }),
  ),
  command(
    "relay reason <project> <relay>",
    "prints why the call of a reverted relay failed",
    async ({ client }, request) => {
      const { reason } = await client.gasTanks.getRevertReason(request);
      return show({ reason }, reason || "the chain reports no reason");
    },
  ),
  command(
    "sponsor add <project> <chain id> <address> [name] [--daily <limit>]",
    "sponsors an address and prints the sponsor's ID; --daily limits what it pays in 24 hours, in the smallest unit: it pays nothing with 0, and has no limit with none",
    async ({ client }, request) => {
      const { gasSponsor } = await client.gasTanks.saveGasSponsor(request);
      return show(gasSponsor, gasSponsor.id);
    },
  ),
  listCommand(
    "sponsor list <project>",
    "lists sponsored addresses",
    "gasSponsors",
    ({ gasTanks }, request) => gasTanks.listGasSponsors(request),
  ),
  command(
    "sponsor pause <project> <sponsor>",
    "pauses a sponsor",
    async ({ client }, request) => setActive(client, request, false),
  ),
  command(
    "sponsor resume <project> <sponsor>",
    "resumes a sponsor",
    async ({ client }, request) => setActive(client, request, true),
  ),
  command(
    "sponsor delete <project> <sponsor>",
    "deletes a sponsor",
    async ({ client }, request) =>
      show(await client.gasTanks.deleteGasSponsor(request), "deleted"),
  ),
];

/** Pauses or resumes a sponsor without changing its name. */
async function setActive(
  { gasTanks }: ConsoleHostClient,
  { id, projectId }: DeleteGasSponsorRequest,
  active: boolean,
): Promise<Output> {
  const page = { size: 1, after: String(id + 1) };
  const { gasSponsors } = await gasTanks.listGasSponsors({ projectId, page });
  const found = gasSponsors.find((sponsor) => sponsor.id === id);
  if (found === undefined) {
    throw new CommandError(`the project has no sponsor ${id}`);
  }
  const { address, chainId, name } = found;
  const sponsor = { projectId, chainId, address, name, active };
  const { gasSponsor } = await gasTanks.saveGasSponsor(sponsor);
  return show(gasSponsor, active ? "resumed" : "paused");
}
