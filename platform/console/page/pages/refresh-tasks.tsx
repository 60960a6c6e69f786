import type {
  ListRefreshTasksResponse,
  RefreshTaskState,
} from "../../generated/types.js";
import { activity } from "../api/console-api.js";
import { Badge, type BadgeState } from "../parts/badge.js";
import { Copyable } from "../parts/copyable.js";
import { Page, type ProjectProps } from "../parts/page.js";
import {
  chainColumn,
  changedColumn,
  createdColumn,
  idColumn,
  reasonColumn,
} from "../tables/columns.js";
import { numberColumn } from "../tables/figure-columns.js";
import { PagedTable } from "../tables/paged-table.js";

const states: Readonly<Record<RefreshTaskState, BadgeState>> = {
  QUEUED: { name: "Queued", tone: "calm" },
  PAUSED: { name: "Paused", tone: "busy" },
  FAILED: { name: "Failed", tone: "bad" },
  COMPLETED: { name: "Completed", tone: "good" },
};

/** The page for a project's refresh tasks. */
export function RefreshTasks({ projectId }: ProjectProps) {
  return (
    <Page
      title="Refresh tasks"
      about="Requests from this project to refresh token metadata."
    >
      <PagedTable
        label="Refresh tasks"
        list={activity.listRefreshTasks.infiniteQueryOptions({ projectId })}
        rowsOf={(page: ListRefreshTasksResponse) => page.refreshTasks}
        refetchInterval={5_000}
        rowKey={({ id }) => `${id}`}
        columns={[
          idColumn,
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
          chainColumn,
          { name: "State", cell: ({ state }) => <Badge {...states[state]} /> },
          numberColumn("Tokens left", "tokensLeft"),
          reasonColumn,
          createdColumn,
          changedColumn,
        ]}
        empty="This project has not requested a refresh yet."
      />
    </Page>
  );
}
