import { randomUUID } from "node:crypto";

import type { ConsoleHostClient } from "../console/generated/client.js";
import type { RelayStatus } from "../console/generated/types.js";
import {
  command,
  CommandError,
  type Output,
  UsageError,
  type Values,
} from "./command.js";
import { list, printRows, show } from "./output.js";

/** Parses the project and the chain of a gas tank or sponsor. */
const placeOf = (values: Values<"project" | "chain id">) => ({
  projectId: values.number("project"),
  chainId: values.number("chain id"),
});

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
    async ({ client }, values) => {
      const { walletLink } = await client.wallets.addWalletLink({
        walletAddress: values.text("wallet"),
        linkedWalletAddress: values.text("linked wallet"),
        ...(values.has("chain id") && { chainId: values.number("chain id") }),
        ...(values.has("kind") && { walletType: values.text("kind") }),
      });
      return show(walletLink, walletLink.id);
    },
  ),
  command(
    "link list [wallet] [--all]",
    "lists links, optionally only those of one wallet",
    ({ client }, values) => {
      const walletAddress = values.optional("wallet");
      return list(values, "walletLinks", (page) =>
        client.wallets.listWalletLinks({
          ...(walletAddress !== undefined && { walletAddress }),
          page,
        }),
      );
    },
  ),
  command("link remove <link>", "removes a link", async ({ client }, values) =>
    show(
      await client.wallets.removeWalletLink({ id: values.number("link") }),
      "removed",
    ),
  ),
  command(
    "tank list <project> [--all]",
    "lists gas tanks",
    ({ client }, values) => {
      const projectId = values.number("project");
      return list(values, "gasTanks", (page) =>
        client.gasTanks.listGasTanks({ projectId, page }),
      );
    },
  ),
  command(
    "tank fill <project> <chain id> <amount>",
    "adds an amount, in the smallest unit, to the gas tank on a chain",
    async ({ client }, values) => {
      const amount = values.text("amount");
      const fill = { ...placeOf(values), amount, key: randomUUID() };
      const { gasTank } = await client.gasTanks.fillGasTank(fill);
      return show(gasTank, "filled");
    },
  ),
  command(
    "tank correct <project> <chain id> <amount> <reason>",
    "takes an amount, in the smallest unit, out of the gas tank on a chain, for example after a fill by mistake",
    async ({ client }, values) => {
      const { gasTank } = await client.gasTanks.correctGasTank({
        ...placeOf(values),
        amount: values.text("amount"),
        reason: values.text("reason"),
        key: randomUUID(),
      });
      return show(gasTank, "corrected");
    },
  ),
  command(
    "tank entries <project> <chain id> [--all]",
    "lists the entries of a gas tank: amounts added and payments",
    ({ client }, values) =>
      list(values, "entries", (page) =>
        client.gasTanks.listGasTankEntries({ ...placeOf(values), page }),
      ),
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
  command(
    "relay list <project> [status] [--all]",
    "lists relays, optionally only those that are pending, done, reverted or expired, with the reason why they are pending",
    ({ client }, values) => {
      const projectId = values.number("project");
      const status = values.optional("status");
      return list(values, "relays", (page) =>
        client.gasTanks.listRelays({
          ...{ projectId, page },
          ...(status !== undefined && { status: toStatus(status) }),
        }),
      );
    },
  ),
  command(
    "relay reason <project> <relay>",
    "prints why the call of a reverted relay failed",
    async ({ client }, values) => {
      const projectId = values.number("project");
      const relay = { projectId, id: values.number("relay") };
      const { reason } = await client.gasTanks.getRevertReason(relay);
      return show({ reason }, reason || "the chain reports no reason");
    },
  ),
  command(
    "sponsor add <project> <chain id> <address> [name] [--daily <amount>]",
    "sponsors an address and prints the sponsor's ID; --daily limits what it pays in 24 hours, in the smallest unit, and 0 removes the limit",
    async ({ client }, values) => {
      const { gasSponsor } = await client.gasTanks.saveGasSponsor({
        ...placeOf(values),
        address: values.text("address"),
        name: values.text("name"),
        ...(values.has("amount") && { dailyLimit: values.text("amount") }),
      });
      return show(gasSponsor, gasSponsor.id);
    },
  ),
  command(
    "sponsor list <project> [--all]",
    "lists sponsored addresses",
    ({ client }, values) => {
      const projectId = values.number("project");
      return list(values, "gasSponsors", (page) =>
        client.gasTanks.listGasSponsors({ projectId, page }),
      );
    },
  ),
  command(
    "sponsor pause <project> <sponsor>",
    "pauses a sponsor",
    async ({ client }, values) => setActive(client, values, false),
  ),
  command(
    "sponsor resume <project> <sponsor>",
    "resumes a sponsor",
    async ({ client }, values) => setActive(client, values, true),
  ),
  command(
    "sponsor delete <project> <sponsor>",
    "deletes a sponsor",
    async ({ client }, values) => {
      const projectId = values.number("project");
      const sponsor = { projectId, id: values.number("sponsor") };
      return show(await client.gasTanks.deleteGasSponsor(sponsor), "deleted");
    },
  ),
];

/** Pauses or resumes a sponsor without changing its name. */
async function setActive(
  { gasTanks }: ConsoleHostClient,
  values: Values<"project" | "sponsor">,
  active: boolean,
): Promise<Output> {
  const projectId = values.number("project");
  const id = values.number("sponsor");
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
