import { useQuery } from "@tanstack/react-query";
import { listRelaysRequestSchema } from "../../generated/schemas.js";
import type {
  ListRelaysResponse,
  Relay,
  RelayStatus,
} from "../../generated/types.js";
import { gasTanks } from "../api/console-api.js";
import { useNetwork } from "../api/networks.js";
import { Amount } from "../parts/amount.js";
import { Badge, type BadgeState } from "../parts/badge.js";
import { RequestFilters, useChoice, useSearch } from "../parts/filters.js";
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
  const search = useSearch("request");
  const request = {
    projectId,
    ...(status !== undefined && { status }),
    ...(search.text !== "" && { requestId: search.text }),
  };
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
      cell: (relay) => <Cost {...relay} />,
    },
    {
      name: "Request ID",
      cell: ({ requestId }) =>
        requestId === undefined ? (
          <OrDash />
        ) : (
          <Copyable isShort text={requestId} name="request ID" />
        ),
    },
    createdColumn,
  ];
  return (
    <Page
      title="Relays"
      about="Calls of wallets that the project's gas tanks pay for."
    >
      <RequestFilters
        label="Status"
        choice={choice}
        search={search}
        what="relay"
      />
      <PagedTable
        label="Relays"
        list={gasTanks.listRelays.infiniteQueryOptions(request)}
        rowsOf={(page: ListRelaysResponse) => page.relays}
        issues={listRelaysRequestSchema["~standard"].validate(request).issues}
        refetchInterval={5_000}
        rowKey={({ id }) => `${id}`}
        columns={columns}
        empty={
          status === undefined && search.text === ""
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
  if (status === "expired") {
    const note = reason === undefined ? "" : ` Last reason: ${reason}`;
    return `The deadline passed before it was executed.${note}`;
  }
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

/** What a relay has cost, or can cost at most while it is pending. */
function Cost({ chainId, cost, maxCost, status }: Relay) {
  if (status !== "pending") return <Amount value={cost} chainId={chainId} />;
  return (
    <>
      at most <Amount value={maxCost} chainId={chainId} />
    </>
  );
}
