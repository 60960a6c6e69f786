import { useInfiniteQuery } from "@tanstack/react-query";
import { listCallsRequestSchema } from "../../generated/schemas.js";
import type { LoggedCall } from "../../generated/types.js";
import { activity } from "../api/console-api.js";
import { Badge } from "../parts/badge.js";
import { Copyable } from "../parts/copyable.js";
import { numberText } from "../parts/count.js";
import { Moment } from "../parts/moment.js";
import { Page } from "../parts/page.js";
import { SearchField, useSearch } from "../parts/search-field.js";
import { useSearchParam } from "../parts/search-param.js";
import type { Column } from "../tables/data-table.js";
import { PagedTable } from "../tables/paged-table.js";

/** The page for a project's latest calls. */
export function Calls({ projectId }: { readonly projectId: number }) {
  const [outcome, setOutcome] = useSearchParam("outcome");
  const search = useSearch("request");
  const request = {
    projectId,
    ...(outcome !== "" && { isFailed: outcome === "failed" }),
    ...(search.text !== "" && { requestId: search.text }),
  };
  const checked = listCallsRequestSchema["~standard"].validate(request);
  const pages = useInfiniteQuery({
    ...activity.listCalls.infiniteQueryOptions(request),
    select: (data) => data.pages.flatMap((page) => page.calls),
    placeholderData: (previous) => previous,
    enabled: checked.issues === undefined,
  });
  const isFiltered = outcome !== "" || search.text !== "";
  return (
    <Page
      title="Calls"
      about="The project's calls of the last 7 days, newest first. If there are many, only some of the successful ones are listed."
    >
      <div className="filters">
        <label>
          Outcome{" "}
          <select
            value={outcome}
            onChange={({ target }) => setOutcome(target.value)}
          >
            <option value="">All</option>
            <option value="failed">Failed</option>
            <option value="done">Succeeded</option>
          </select>
        </label>
        <SearchField
          isCode
          label="Find a call by its request ID"
          placeholder="Request ID"
          search={search}
        />
      </div>
      <PagedTable
        label="Calls"
        pages={pages}
        issues={checked.issues}
        rowKey={({ id }) => `${id}`}
        columns={columns}
        empty={
          isFiltered ? (
            <p>No calls match.</p>
          ) : (
            <p>The project has made no calls in the last 7 days.</p>
          )
        }
      />
    </Page>
  );
}

const columns: readonly Column<LoggedCall>[] = [
  { name: "When", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    name: "Method",
    cell: ({ method, service }) => (
      <code>
        {service}/<wbr />
        {method}
      </code>
    ),
  },
  {
    name: "Network",
    cell: ({ network }) => network ?? <span className="quiet">–</span>,
  },
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

/** The status, and what was wrong with the request. */
function Result({ error, invalidFields, status }: LoggedCall) {
  if (error === undefined) return <Badge tone="good">{`${status}`}</Badge>;
  return (
    <>
      <Badge tone="bad">{`${status}`}</Badge> {error}
      {invalidFields.length > 0 && (
        <code className="details"> {invalidFields.join(", ")}</code>
      )}
    </>
  );
}
