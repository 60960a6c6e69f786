import { useQuery } from "@tanstack/react-query";
import type {
  ListRelaysResponse,
  Relay,
  RelayStatus,
} from "../../generated/types.js";
import { gasTanks } from "../api/console-api.js";
import { useNetwork } from "../api/networks.js";
import { Amount } from "../parts/amount.js";
import { Badge, type BadgeState } from "../parts/badge.js";
import { ChoiceField, useChoice } from "../parts/filters.js";
import { Copyable, shortened } from "../parts/copyable.js";
import { OrDash } from "../parts/facts.js";
import { Page, type ProjectProps } from "../parts/page.js";
import { chainColumn, createdColumn, idColumn } from "../tables/columns.js";
import type { Column } from "../tables/data-table.js";
import { PagedTable } from "../tables/paged-table.js";

const statuses: Readonly<Record<RelayStatus, BadgeState>> = {
  pending: { name: "Pending", tone: "busy" },
  done: { name: "Done", tone: "good" },
  reverted: { name: "Reverted", tone: "bad" },
  expired: { name: "Expired", tone: "calm" },
};

/** The page for a project's relays. */
export function Relays({ projectId }: ProjectProps) {
  const choice = useChoice("status", statuses);
  const { chosen: status } = choice;
  const columns: readonly Column<Relay>[] = [
    idColumn,
    { name: "Status", cell: (relay) => <Badge {...statuses[relay.status]} /> },
    {
      name: "Reason",
      cell: (relay) => <Reason projectId={projectId} relay={relay} />,
    },
    {
      name: "Wallet",
      cell: ({ wallet }) => <Copyable isShort text={wallet} name="wallet" />,
    },
    chainColumn,
    { name: "Transaction", cell: (relay) => <Transaction {...relay} /> },
    {
      name: "Cost",
      isNumeric: true,
      cell: ({ chainId, cost }) => <Amount value={cost} chainId={chainId} />,
    },
    createdColumn,
  ];
  return (
    <Page
      title="Relays"
      about="Calls of wallets that the project's gas tanks pay for."
    >
      <div className="filters">
        <ChoiceField label="Status" choice={choice} />
      </div>
      <PagedTable
        label="Relays"
        list={gasTanks.listRelays.infiniteQueryOptions({
          projectId,
          ...(status !== undefined && { status }),
        })}
        rowsOf={(page: ListRelaysResponse) => page.relays}
        refetchInterval={5_000}
        rowKey={({ id }) => `${id}`}
        columns={columns}
        empty={
          status === undefined
            ? "This project has no relays yet."
            : "No relays match."
        }
      />
    </Page>
  );
}

/** Why a relay is pending or failed. */
function Reason({
  projectId,
  relay: { id, reason, status },
}: ProjectProps & { readonly relay: Relay }) {
  const { data, error } = useQuery({
    ...gasTanks.getRevertReason.queryOptions({ projectId, id }),
    enabled: status === "reverted",
    staleTime: Infinity,
  });
  if (status === "expired")
    return "The deadline passed before it was executed.";
  if (status !== "reverted") return <OrDash text={reason} />;
  if (error) return "The chain does not report the reason at the moment.";
  if (data === undefined) return <span className="quiet">…</span>;
  return data.reason || "The contract gave no reason.";
}

/** A link to the transaction, if the network's block explorer is known. */
function Transaction({ chainId, transactionHash: hash }: Relay) {
  const explorerUrl = useNetwork(chainId)?.explorerUrl;
  if (hash === undefined) return <OrDash />;
  if (explorerUrl === undefined)
    return <Copyable isShort text={hash} name="transaction hash" />;
  return (
    <a
      href={`${explorerUrl.replace(/\/$/u, "")}/tx/${hash}`}
      target="_blank"
      rel="noreferrer"
      title={hash}
    >
      <code>{shortened(hash)}</code>
    </a>
  );
}
