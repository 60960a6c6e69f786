import {
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../parts/button.js";
import { FailureNote, sentence } from "../parts/failure-note.js";
import { Waiting } from "../parts/loaded.js";
import { DataTable, type DataTableProps } from "./data-table.js";
import { KeepFocus } from "./keep-focus.js";

/** The options of a query for a list, as ridlkit generates them. */
type ListOptions<Response, Place> = Pick<
  UseInfiniteQueryOptions<
    Response,
    Error,
    InfiniteData<Response, Place>,
    QueryKey,
    Place
  >,
  "queryKey" | "queryFn" | "initialPageParam" | "getNextPageParam"
>;

/** Properties of a table that grows one page at a time. */
export interface PagedTableProps<Response, Place, Row> extends Omit<
  DataTableProps<Row>,
  "rows"
> {
  readonly list: ListOptions<Response, Place>;
  readonly rowsOf: (page: Response) => readonly Row[];
  /** How often to read the list again, in milliseconds. */
  readonly refetchInterval?: number;
  /**
   * Errors in the request. If there are any, it is not sent, and the first one
   * replaces the table.
   */
  readonly issues?: readonly { readonly message: string }[] | undefined;
  /** The text to show if there are no rows. */
  readonly empty: string;
}

/**
 * A table with the rows of all pages loaded so far, and a button that loads the
 * next page.
 */
export function PagedTable<Response, Place, Row>({
  list,
  rowsOf,
  refetchInterval,
  issues: [issue] = [],
  ...table
}: PagedTableProps<Response, Place, Row>) {
  const pages = useInfiniteQuery({
    ...list,
    select: (data) => data.pages.flatMap(rowsOf),
    enabled: issue === undefined,
    placeholderData: (previous) => previous,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  return (
    <KeepFocus>
      {issue ? (
        <p className="field-error" role="alert">
          {sentence(issue.message)}
        </p>
      ) : (
        <Rows pages={pages} {...table} />
      )}
    </KeepFocus>
  );
}

function Rows<Row>({
  pages,
  empty,
  ...table
}: Omit<DataTableProps<Row>, "rows"> & {
  readonly pages: UseInfiniteQueryResult<readonly Row[]>;
  readonly empty: string;
}) {
  const { data, error, hasNextPage, isFetchingNextPage } = pages;
  if (error && data === undefined) {
    return <FailureNote error={error} retry={pages.refetch} />;
  }
  // The previous search had no results, but this one is still running.
  const isUnknown = data?.length === 0 && pages.isPlaceholderData;
  if (data === undefined || isUnknown) return <Waiting />;
  if (data.length === 0) return <Empty>{empty}</Empty>;
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

/** Tells why there is nothing to show. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <div className="empty">
      <p>{children}</p>
    </div>
  );
}
