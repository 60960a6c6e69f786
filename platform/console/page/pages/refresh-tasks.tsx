import { useInfiniteQuery } from "@tanstack/react-query";
import type { RefreshTaskState } from "../../generated/types.js";
import { activity } from "../api/console-api.js";
import { Chain } from "../parts/amount.js";
import { Badge } from "../parts/badge.js";
import { Copyable } from "../parts/copyable.js";
import { numberText } from "../parts/count.js";
import { Moment } from "../parts/moment.js";
import { Page } from "../parts/page.js";
import { PagedTable } from "../tables/paged-table.js";

/** The page for a project's refresh tasks. */
export function RefreshTasks({ projectId }: { readonly projectId: number }) {
  const pages = useInfiniteQuery({
    ...activity.listRefreshTasks.infiniteQueryOptions({ projectId }),
    select: (data) => data.pages.flatMap((page) => page.refreshTasks),
    refetchInterval: 5_000,
  });
  return (
    <Page
      title="Refresh tasks"
      about="Requests from this project to refresh token metadata."
    >
      <PagedTable
        label="Refresh tasks"
        pages={pages}
        rowKey={({ id }) => `${id}`}
        columns={[
          { name: "ID", isNumeric: true, cell: ({ id }) => id },
          {
            name: "Contract",
            cell: ({ contractAddress }) => (
              <Copyable
                isShort
                text={contractAddress}
                name="contract address"
              />
            ),
          },
          { name: "Chain", cell: ({ chainId }) => <Chain id={chainId} /> },
          { name: "State", cell: ({ state }) => <State state={state} /> },
          {
            name: "Tokens left",
            isNumeric: true,
            cell: ({ tokensLeft }) => numberText(tokensLeft),
          },
          {
            name: "Reason",
            cell: ({ reason = "" }) =>
              reason || <span className="quiet">–</span>,
          },
          {
            name: "Created",
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
        ]}
        empty={<p>This project has not requested a refresh yet.</p>}
      />
    </Page>
  );
}

function State({ state }: { readonly state: RefreshTaskState }) {
  switch (state) {
    case "QUEUED":
      return <Badge tone="calm">Queued</Badge>;
    case "PAUSED":
      return <Badge tone="busy">Paused</Badge>;
    case "FAILED":
      return <Badge tone="bad">Failed</Badge>;
    case "COMPLETED":
      return <Badge tone="good">Completed</Badge>;
  }
}
