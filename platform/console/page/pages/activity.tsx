import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { Link } from "wouter";
import type { Action, ListActionsRequest } from "../../generated/types.js";
import { activity, operators } from "../api/console-api.js";
import { sessionQuery } from "../api/query-client.js";
import { Badge } from "../parts/badge.js";
import { ConfirmAction } from "../parts/confirm-action.js";
import type { Column } from "../tables/data-table.js";
import { Moment } from "../parts/moment.js";
import { Page } from "../parts/page.js";
import { PagedTable } from "../tables/paged-table.js";
import { SearchField, useSearch } from "../parts/search-field.js";

const title = "Audit log";

/** The page that lists operators' actions in all projects. */
export function ActivityPage() {
  return (
    <div className="wide">
      <Page
        title={title}
        about="Operator actions, newest first."
        actions={<EndSessions />}
      >
        <Actions filter={{}} />
      </Page>
    </div>
  );
}

/** Lets owners end all sessions, for example after a password was leaked. */
function EndSessions() {
  const { data } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  if (data?.ok !== true || data.value.session.role !== "owner") return null;
  return (
    <ConfirmAction
      label="End all sessions"
      name="of all operators"
      look="plain"
      title="End all sessions?"
      action={operators.endSessions.mutationOptions()}
      request={{}}
      done={() => "All sessions were ended."}
      onDone={() => void queryClient.invalidateQueries(sessionQuery)}
    >
      <p>All operators, including you, have to sign in again.</p>
    </ConfirmAction>
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
