import { useInfiniteQuery } from "@tanstack/react-query";
import type { GasTank, GasTankEntry } from "../../generated/types.js";
import { gasTanks } from "../api/console-api.js";
import { useNetwork } from "../api/networks.js";
import { Amount } from "../parts/amount.js";
import { Copyable } from "../parts/copyable.js";
import { Moment } from "../parts/moment.js";
import { Page, Section } from "../parts/page.js";
import { PagedTable } from "../tables/paged-table.js";
import { NotFound } from "../parts/not-found.js";
import { FillDialog } from "./fill-dialog.js";

/** The page for a gas tank and its entries. */
export function GasTankPage({
  projectId,
  chainId,
}: {
  readonly projectId: number;
  readonly chainId: number;
}) {
  const network = useNetwork(chainId);
  const tanks = useInfiniteQuery({
    // A project has one tank per chain, so all of them fit on one page.
    ...gasTanks.listGasTanks.infiniteQueryOptions({
      projectId,
      page: { size: 200 },
    }),
    select: (data) =>
      data.pages
        .flatMap((page) => page.gasTanks)
        .find((tank) => tank.chainId === chainId),
  });
  const entries = useInfiniteQuery({
    ...gasTanks.listGasTankEntries.infiniteQueryOptions({ projectId, chainId }),
    select: (data) => data.pages.flatMap((page) => page.entries),
  });
  if (network === undefined && tanks.isSuccess && tanks.data === undefined) {
    return <NotFound />;
  }
  return (
    <Page
      title={`Gas tank on ${network?.handle ?? chainId}`}
      actions={
        <FillDialog projectId={projectId} chainId={chainId} opener="Fill" />
      }
    >
      {tanks.data && <Facts {...tanks.data} />}
      <Section title="Entries">
        <PagedTable
          label="Entries"
          pages={entries}
          rowKey={({ id }) => id}
          columns={[
            {
              name: "When",
              cell: ({ createdAt }) => <Moment at={createdAt} />,
            },
            { name: "What", cell: (entry) => <EntryOrigin {...entry} /> },
            {
              name: "Amount",
              isNumeric: true,
              cell: ({ amount }) => <Amount value={amount} chainId={chainId} />,
            },
          ]}
          empty={<p>This tank has no entries yet.</p>}
        />
      </Section>
    </Page>
  );
}

function Facts({ balance, chainId, reserved }: GasTank) {
  return (
    <dl className="facts">
      <div>
        <dt>Balance</dt>
        <dd className="figure">
          <Amount value={balance} chainId={chainId} />
        </dd>
      </div>
      <div>
        <dt>Reserved for pending transactions</dt>
        <dd className="figure">
          <Amount value={reserved} chainId={chainId} />
        </dd>
      </div>
    </dl>
  );
}

function EntryOrigin(entry: GasTankEntry) {
  switch (entry.kind) {
    case "fill":
      return entry.operator === undefined
        ? "Filled"
        : `Filled by ${entry.operator}`;
    case "correction":
      return `Corrected by ${entry.operator ?? "the platform"}: ${entry.reason ?? ""}`;
    case "relay":
      return (
        <>
          Relay {entry.relayId}{" "}
          {entry.transactionHash && (
            <Copyable
              isShort
              text={entry.transactionHash}
              name="transaction hash"
            />
          )}
        </>
      );
  }
}
