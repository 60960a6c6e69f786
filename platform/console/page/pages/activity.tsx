import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type {
  Action,
  ListActionsRequest,
  ListActionsResponse,
} from "../../generated/types.js";
import { activity, operators } from "../api/console-api.js";
import { sessionQuery } from "../api/query-client.js";
import { Badge } from "../parts/badge.js";
import { ConfirmAction } from "../parts/confirm-action.js";
import { OrDash } from "../parts/facts.js";
import { Page, type ProjectProps } from "../parts/page.js";
import { SearchField, useSearch } from "../parts/filters.js";
import { whenColumn } from "../tables/columns.js";
import type { Column } from "../tables/data-table.js";
import { PagedTable } from "../tables/paged-table.js";

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
export function ProjectLog({ projectId }: ProjectProps) {
  return (
    <Page title={title} about="Operator actions in this project, newest first.">
      <Actions filter={{ projectId }} />
    </Page>
  );
}

function Actions({ filter }: { readonly filter: ListActionsRequest }) {
  const search = useSearch("operator");
  const { text: operator } = search;
  return (
    <>
      <SearchField
        label="Find an operator's actions"
        placeholder="Operator name"
        search={search}
      />
      <PagedTable
        label="Actions"
        list={activity.listActions.infiniteQueryOptions({
          ...filter,
          ...(operator !== "" && { operator }),
        })}
        rowsOf={(page: ListActionsResponse) => page.actions}
        rowKey={({ id }) => `${id}`}
        columns={[
          whenColumn,
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
          operator === ""
            ? "No actions yet."
            : `The operator “${operator}” has done nothing here.`
        }
      />
    </>
  );
}

const projectColumn: Column<Action> = {
  name: "Project",
  cell: ({ projectId }) =>
    projectId === undefined ? (
      <OrDash />
    ) : (
      <Link href={`/projects/${projectId}`}>{projectId}</Link>
    ),
};

function Details({ details }: Action) {
  const entries = Object.entries(details).filter(
    ([name]) => name !== "projectId",
  );
  return entries.length === 0 ? (
    <OrDash />
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
      return <Badge tone="good" name="Done" />;
    case "failed":
      return <Badge tone="bad" name={error ?? "Failed"} />;
    case "unknown":
      return <Badge tone="busy" name="Unknown" />;
  }
}
