import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type {
  Action,
  ListActionsRequest,
} from "../../platform/console/generated/types.js";
import { activity } from "../api/console-api.js";
import { Badge } from "../parts/badge.js";
import type { Column } from "../parts/data-table.js";
import { Moment } from "../parts/moment.js";
import { Page } from "../parts/page.js";
import { PagedTable } from "../parts/paged-table.js";
import { SearchField, useSearch } from "../parts/search-field.js";

const title = "Audit log";

/** The page that lists operators' actions in all projects. */
export function ActivityPage() {
  return (
    <div className="wide">
      <Page title={title} about="Operator actions, newest first.">
        <Actions filter={{}} />
      </Page>
    </div>
  );
}

/** The page that lists operators' actions in one project. */
export function ProjectLog({ projectId }: { readonly projectId: number }) {
  return (
    <Page title={title} about="Operator actions in this project, newest first.">
      <Actions filter={{ projectId }} />
    </Page>
  );
}

function Actions({ filter }: { readonly filter: ListActionsRequest }) {
  const search = useSearch("operator");
  const { text: operator } = search;
  const pages = useInfiniteQuery({
    ...activity.listActions.infiniteQueryOptions({
      ...filter,
      ...(operator !== "" && { operator }),
    }),
    select: (data) => data.pages.flatMap((page) => page.actions),
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <SearchField
        label="Find an operator's actions"
        placeholder="Operator name"
        search={search}
      />
      <PagedTable
        label="Actions"
        pages={pages}
        rowKey={({ id }) => `${id}`}
        columns={[
          { name: "When", cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { name: "Operator", cell: (action) => action.operator },
          {
            name: "Method",
            cell: ({ method }) => <code className="whole">{method}</code>,
          },
          ...(filter.projectId === undefined ? [projectColumn] : []),
          { name: "Details", cell: (action) => <Details {...action} /> },
          { name: "Outcome", cell: (action) => <Outcome {...action} /> },
        ]}
        empty={
          operator === "" ? (
            <p>No actions yet.</p>
          ) : (
            <p>The operator “{operator}” has done nothing here.</p>
          )
        }
      />
    </>
  );
}

const projectColumn: Column<Action> = {
  name: "Project",
  cell: ({ projectId }) =>
    projectId === undefined ? (
      <span className="quiet">–</span>
    ) : (
      <Link href={`/projects/${projectId}`}>{projectId}</Link>
    ),
};

function Details({ details }: Action) {
  const entries = Object.entries(details).filter(
    ([name]) => name !== "projectId",
  );
  return entries.length === 0 ? (
    <span className="quiet">–</span>
  ) : (
    <code className="details">
      {entries
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(", ")}
    </code>
  );
}

function Outcome({ error, outcome }: Action) {
  switch (outcome) {
    case "done":
      return <Badge tone="good">Done</Badge>;
    case "failed":
      return <Badge tone="bad">{error ?? "Failed"}</Badge>;
    case "unknown":
      return <Badge tone="busy">Unknown</Badge>;
  }
}
