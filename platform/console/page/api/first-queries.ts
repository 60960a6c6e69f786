import type { QueryClient } from "@tanstack/react-query";
import { projects } from "./console-api.js";
import { networksQuery } from "./networks.js";
import { sessionQuery } from "./query-client.js";
import { remembered } from "./remembered.js";

/**
 * Requests at the same time what the page at an address shows first. Otherwise,
 * each answer would be rendered before the next request. If no operator was
 * signed in last time, requests only the session, because the other requests
 * would be rejected.
 *
 * Returns when the session and the networks are known, or could not be read.
 */
export async function startQueries(
  queryClient: QueryClient,
  path: string,
): Promise<void> {
  const session = queryClient.prefetchQuery(sessionQuery);
  if (remembered("ridl-console-session") === "") return session;
  const id = /^\/projects\/(\d{1,15})(?:\/|$)/u.exec(path)?.[1];
  if (id !== undefined) {
    const projectId = Number(id);
    void queryClient.prefetchQuery(
      projects.getProject.queryOptions({ projectId }),
    );
  }
  await Promise.all([session, queryClient.prefetchQuery(networksQuery)]);
}
