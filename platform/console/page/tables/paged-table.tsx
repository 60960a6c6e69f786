import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../parts/button.js";
import { DataTable, type DataTableProps } from "./data-table.js";
import { FailureNote, sentence } from "../parts/failure-note.js";
import { KeepFocus } from "./keep-focus.js";

/** Properties of a table that grows one page at a time. */
export interface PagedTableProps<Row> extends Omit<
  DataTableProps<Row>,
  "rows"
> {
  readonly pages: UseInfiniteQueryResult<readonly Row[]>;
  /** Errors in the request. The first one replaces the table. */
  readonly issues?: readonly { readonly message: string }[] | undefined;
  /** The content to show if there are no rows. */
  readonly empty: ReactNode;
}

/**
 * A table with the rows of all pages loaded so far, and a button that loads the
 * next page.
 */
export function PagedTable<Row>({
  pages,
  issues: [issue] = [],
  empty,
  ...table
}: PagedTableProps<Row>) {
  return (
    <KeepFocus>
      <Rows pages={pages} issue={issue} empty={empty} {...table} />
    </KeepFocus>
  );
}

function Rows<Row>({
  pages,
  issue,
  empty,
  ...table
}: Omit<PagedTableProps<Row>, "issues"> & {
  readonly issue: { readonly message: string } | undefined;
}) {
  const { data, error, hasNextPage, isFetchingNextPage } = pages;
  if (issue) {
    return (
      <p className="field-error" role="alert">
        {sentence(issue.message)}
      </p>
    );
  }
  if (error && data === undefined) {
    return <FailureNote error={error} retry={pages.refetch} />;
  }
  // The previous search had no results, but this one is still running.
  const isUnknown = data?.length === 0 && pages.isPlaceholderData;
  if (data === undefined || isUnknown) return <Waiting />;
  if (data.length === 0) return <div className="empty">{empty}</div>;
  return (
    <>
      <DataTable {...table} rows={data} />
      <FailureNote error={error} retry={pages.refetch} />
      {hasNextPage && (
        <p className="more">
          <Button
            isBusy={isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        </p>
      )}
    </>
  );
}

/** A placeholder for content that is loading. */
export function Waiting() {
  return (
    <div className="waiting" role="status" aria-label="Loading">
      <span />
      <span />
      <span />
    </div>
  );
}
