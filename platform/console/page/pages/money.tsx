import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { TankCheck } from "../../generated/types.js";
import { gasTanks } from "../api/console-api.js";
import { Chain } from "../parts/amount.js";
import { Copyable } from "../parts/copyable.js";
import { FailureNote } from "../parts/failure-note.js";
import { Waiting } from "../parts/loaded.js";
import { Page, Section } from "../parts/page.js";
import { chainColumn } from "../tables/columns.js";
import { DataTable } from "../tables/data-table.js";
import { amountColumn, numberColumn } from "../tables/figure-columns.js";
import { Empty } from "../tables/paged-table.js";

/** The page that compares balances with what they must be. */
export function Money() {
  const { data, error, refetch } = useQuery(
    gasTanks.getReconciliation.queryOptions(),
  );
  return (
    <div className="wide">
      <Page
        title="Money"
        about="The balances of relaying accounts and gas tanks, compared with what they must be."
      >
        <FailureNote error={error} retry={refetch} />
        {data === undefined && error === null && <Waiting />}
        {data !== undefined && (
          <>
            <Section
              title="Relaying accounts"
              about="Balances at the last block, and what the accounts received or, if negative, lost since their last daily check. Transactions are counted if their cost is unknown, or if another program sent them (foreign)."
            >
              <DataTable
                label="Relaying accounts"
                rows={data.accounts}
                rowKey={({ account, chainId }) => `${chainId} ${account}`}
                columns={[
                  chainColumn,
                  {
                    name: "Account",
                    cell: ({ account }) => (
                      <Copyable isShort text={account} name="account" />
                    ),
                  },
                  amountColumn("Balance", "balance"),
                  amountColumn("Reserved", "reserved"),
                  amountColumn("Paid by tanks", "paid"),
                  amountColumn("Difference", "difference"),
                  amountColumn("Lost in 7 days", "lost"),
                  numberColumn("Unknown cost", "unknown"),
                  numberColumn("Foreign", "foreign"),
                ]}
              />
            </Section>
            <Tanks tanks={data.tanks} />
          </>
        )}
      </Page>
    </div>
  );
}

function Tanks({ tanks }: { readonly tanks: readonly TankCheck[] }) {
  const wrong = tanks.filter(({ difference }) => difference !== "0");
  return (
    <Section title="Gas tanks with a difference">
      {wrong.length === 0 ? (
        <Empty>All gas tanks reconcile.</Empty>
      ) : (
        <DataTable
          label="Gas tanks with a difference"
          rows={wrong}
          rowKey={({ chainId, projectId }) => `${projectId} ${chainId}`}
          columns={[
            {
              name: "Tank",
              cell: ({ chainId, projectId }) => (
                <Link href={`/projects/${projectId}/gas/${chainId}`}>
                  Project {projectId} on <Chain id={chainId} />
                </Link>
              ),
            },
            amountColumn("Balance", "balance"),
            amountColumn("Filled", "filled"),
            amountColumn("Paid", "paid"),
            amountColumn("Reserved", "reserved"),
            amountColumn("Difference", "difference"),
          ]}
        />
      )}
    </Section>
  );
}
