import { useInfiniteQuery } from "@tanstack/react-query";
import type {
  GasTankEntry,
  ListGasTankEntriesResponse,
} from "../../generated/types.js";
import { gasTanks } from "../api/console-api.js";
import { useNetwork } from "../api/networks.js";
import { Amount } from "../parts/amount.js";
import { Copyable } from "../parts/copyable.js";
import { Facts } from "../parts/facts.js";
import { NotFound } from "../parts/loaded.js";
import { Moment } from "../parts/moment.js";
import { Page, type ProjectProps, Section } from "../parts/page.js";
import { whenColumn } from "../tables/columns.js";
import { PagedTable } from "../tables/paged-table.js";
import { FillDialog } from "./fill-dialog.js";

/** The page for a gas tank and its entries. */
export function GasTankPage({
  projectId,
  chainId,
}: ProjectProps & { readonly chainId: number }) {
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
  if (network === undefined && tanks.isSuccess && tanks.data === undefined) {
    return <NotFound />;
  }
  const figure = (value: string) => (
    <span className="figure">
      <Amount value={value} chainId={chainId} />
    </span>
  );
  return (
    <Page
      title={`Gas tank on ${network?.handle ?? chainId}`}
      actions={
        <FillDialog projectId={projectId} chainId={chainId} opener="Fill" />
      }
    >
      {tanks.data && (
        <Facts
          facts={{
            Balance: figure(tanks.data.balance),
            "Reserved for pending transactions": figure(tanks.data.reserved),
            Created: <Moment at={tanks.data.createdAt} />,
          }}
        />
      )}
      <Section title="Entries">
        <PagedTable
          label="Entries"
          list={gasTanks.listGasTankEntries.infiniteQueryOptions({
            projectId,
            chainId,
          })}
          rowsOf={(page: ListGasTankEntriesResponse) => page.entries}
          rowKey={({ id }) => id}
          columns={[
            whenColumn,
            { name: "What", cell: (entry) => <EntryOrigin {...entry} /> },
            {
              name: "Amount",
              isNumeric: true,
              cell: ({ amount }) => <Amount value={amount} chainId={chainId} />,
            },
          ]}
          empty="This tank has no entries yet."
        />
      </Section>
    </Page>
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
