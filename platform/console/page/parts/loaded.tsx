import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { NotFoundError } from "../../generated/errors.js";
import { FailureNote } from "./failure-note.js";
import { Page } from "./page.js";

/**
 * Shows the data of a query once it is loaded, or else why it is missing. The
 * last data stays if the query fails later.
 */
export function Loaded<Data>({
  query: { data, error, refetch },
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  if (error instanceof NotFoundError) return <NotFound />;
  if (data !== undefined) return children(data);
  return error ? <FailureNote error={error} retry={refetch} /> : <Waiting />;
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

/** The page for an unknown address. */
export function NotFound() {
  return (
    <div className="alone">
      <Page title="Page not found">
        <p>
          The console has no page at this address. Go to{" "}
          <Link href="/">all projects</Link>.
        </p>
      </Page>
    </div>
  );
}
