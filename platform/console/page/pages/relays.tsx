import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Relay, RelayStatus } from "../../generated/types.js";
import { gasTanks } from "../api/console-api.js";
import { useNetwork } from "../api/networks.js";
import { Amount, Chain } from "../parts/amount.js";
import { Badge } from "../parts/badge.js";
import { Copyable, shortened } from "../parts/copyable.js";
import type { Column } from "../tables/data-table.js";
import { Moment } from "../parts/moment.js";
import { Page } from "../parts/page.js";
import { PagedTable } from "../tables/paged-table.js";
import { useSearchParam } from "../parts/search-param.js";

const statusNames: Readonly<Record<RelayStatus, string>> = {
  pending: "Pending",
  done: "Done",
  reverted: "Reverted",
  expired: "Expired",
};

const statusTones = {
  pending: "busy",
  done: "good",
  reverted: "bad",
  expired: "calm",
} as const;

/** The page for a project's relays. */
export function Relays({ projectId }: { readonly projectId: number }) {
  const [given, setStatus] = useSearchParam("status");
  const status = statuses.find((each) => each === given);
  const pages = useInfiniteQuery({
    ...gasTanks.listRelays.infiniteQueryOptions({
      projectId,
      ...(status !== undefined && { status }),
    }),
    select: (data) => data.pages.flatMap((page) => page.relays),
    refetchInterval: 5_000,
  });
  const columns: readonly Column<Relay>[] = [
    { name: "ID", isNumeric: true, cell: ({ id }) => id },
    { name: "Status", cell: (relay) => <Status {...relay} /> },
    {
      name: "Reason",
      cell: (relay) => <Reason projectId={projectId} relay={relay} />,
    },
    {
      name: "Wallet",
      cell: ({ wallet }) => <Copyable isShort text={wallet} name="wallet" />,
    },
    { name: "Chain", cell: ({ chainId }) => <Chain id={chainId} /> },
    { name: "Transaction", cell: (relay) => <Transaction {...relay} /> },
    {
      name: "Cost",
      isNumeric: true,
      cell: ({ chainId, cost }) => <Amount value={cost} chainId={chainId} />,
    },
    { name: "Created", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  return (
    <Page
      title="Relays"
      about="Calls of wallets that the project's gas tanks pay for."
    >
      <div className="filters">
        <label>
          Status{" "}
          <select
            value={status ?? ""}
            onChange={({ target }) => setStatus(target.value)}
          >
            <option value="">All</option>
            {statuses.map((each) => (
              <option key={each} value={each}>
                {statusNames[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        label="Relays"
        pages={pages}
        rowKey={({ id }) => `${id}`}
        columns={columns}
        empty={
          status === undefined ? (
            <p>This project has no relays yet.</p>
          ) : (
            <p>No relays match.</p>
          )
        }
      />
    </Page>
  );
}

const statuses = ["pending", "done", "reverted", "expired"] as const;

function Status({ status }: Relay) {
  return <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>;
}

/** Why a relay is pending or failed. */
function Reason({
  projectId,
  relay: { id, reason = "", status },
}: {
  readonly projectId: number;
  readonly relay: Relay;
}) {
  const { data, error } = useQuery({
    ...gasTanks.getRevertReason.queryOptions({ projectId, id }),
    enabled: status === "reverted",
    staleTime: Infinity,
  });
  if (status === "expired")
    return "The deadline passed before it was executed.";
  if (status !== "reverted") return reason || <span className="quiet">–</span>;
  if (error) return "The chain does not report the reason at the moment.";
  if (data === undefined) return <span className="quiet">…</span>;
  return data.reason || "The contract gave no reason.";
}

/** A link to the transaction, if the network's block explorer is known. */
function Transaction({ chainId, transactionHash: hash }: Relay) {
  const explorerUrl = useNetwork(chainId)?.explorerUrl;
  if (hash === undefined) return <span className="quiet">–</span>;
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
