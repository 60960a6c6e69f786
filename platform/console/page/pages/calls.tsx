import { Link } from "wouter";
import { listCallsRequestSchema } from "../../generated/schemas.js";
import type { ListCallsResponse, LoggedCall } from "../../generated/types.js";
import { activity } from "../api/console-api.js";
import { Badge } from "../parts/badge.js";
import { RequestFilters, useChoice, useSearch } from "../parts/filters.js";
import { Copyable } from "../parts/copyable.js";
import { numberText } from "../parts/count.js";
import { OrDash } from "../parts/facts.js";
import { Page, type ProjectProps } from "../parts/page.js";
import { whenColumn } from "../tables/columns.js";
import type { Column } from "../tables/data-table.js";
import { PagedTable } from "../tables/paged-table.js";

const outcomes = { failed: { name: "Failed" }, done: { name: "Succeeded" } };

/** The page for the latest calls of all projects. */
export function AllCalls() {
  return (
    <div className="wide">
      <Calls />
    </div>
  );
}

/** The page for the latest calls, of a project or of all projects. */
export function Calls({ projectId }: Partial<ProjectProps>) {
  const outcome = useChoice("outcome", outcomes);
  const search = useSearch("request");
  const request = {
    ...(projectId !== undefined && { projectId }),
    ...(outcome.chosen && { isFailed: outcome.chosen === "failed" }),
    ...(search.text !== "" && { requestId: search.text }),
  };
  const isFiltered = outcome.chosen !== undefined || search.text !== "";
  return (
    <Page
      title="Calls"
      about="Calls of the last 7 days, newest first. If there are many, only some of the successful ones are listed."
    >
      <RequestFilters
        label="Outcome"
        choice={outcome}
        search={search}
        what="call"
      />
      <PagedTable
        label="Calls"
        list={activity.listCalls.infiniteQueryOptions(request)}
        rowsOf={(page: ListCallsResponse) => page.calls}
        issues={listCallsRequestSchema["~standard"].validate(request).issues}
        rowKey={({ id }) => `${id}`}
        columns={columns.filter(
          ({ name }) => name !== "Project" || projectId === undefined,
        )}
        empty={
          isFiltered
            ? "No calls match."
            : "There were no calls in the last 7 days."
        }
      />
    </Page>
  );
}

const columns: readonly Column<LoggedCall>[] = [
  whenColumn,
  {
    name: "Project",
    cell: ({ projectId }) => (
      <Link href={`/projects/${projectId}`}>{projectId}</Link>
    ),
  },
  {
    name: "Method",
    cell: ({ method, service }) => (
      <code>
        {service}/<wbr />
        {method}
      </code>
    ),
  },
  { name: "Network", cell: ({ network }) => <OrDash text={network} /> },
  { name: "Result", cell: (call) => <Result {...call} /> },
  {
    name: "Duration",
    isNumeric: true,
    cell: ({ durationMs }) => `${numberText(durationMs)} ms`,
  },
  {
    name: "Request ID",
    cell: ({ requestId }) => (
      <Copyable isShort text={requestId} name="request ID" />
    ),
  },
];

/** The status, why the call failed, the relay that it started, and its trace. */
function Result(call: LoggedCall) {
  const { cause, error, invalidFields, status, traceUrl } = call;
  const details = cause ?? invalidFields.join(", ");
  return (
    <>
      <Badge tone={error === undefined ? "good" : "bad"} name={`${status}`} />{" "}
      {error}
      {details !== "" && <code className="details"> {details}</code>}
      {call.method === "Relay" && error === undefined && (
        <Link
          href={`/projects/${call.projectId}/relays?request=${call.requestId}`}
        >
          Relay
        </Link>
      )}
      {traceUrl !== undefined && (
        <>
          {" "}
          <a href={traceUrl} target="_blank" rel="noreferrer">
            Trace
          </a>
        </>
      )}
    </>
  );
}
