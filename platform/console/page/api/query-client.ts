import {
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import {
  SessionExpiredError,
  UnauthorizedError,
} from "../../generated/errors.js";
import { RpcError } from "@ridlkit/runtime/errors";
import { client, operators } from "./console-api.js";
import { remember } from "./remembered.js";

// Render a running call before the next event. Otherwise, a second click could
// send the call again, or Escape could close the dialog that will show its
// result. The default is a timer, which input events can precede.
notifyManager.setScheduler(queueMicrotask);

/**
 * The session, or the error that no operator is signed in. The error is data,
 * which stays while the session is requested again, so that the login page
 * keeps what the user types.
 */
export const sessionQuery = queryOptions({
  queryKey: operators.getSession.key,
  queryFn: async ({ signal }) => {
    const session = await client.operators.getSession.result({}, { signal });
    if (!session.ok && !isSignedOut(session.error)) throw session.error;
    remember("ridl-console-session", session.ok ? "signed in" : "");
    return session;
  },
  // Another tab can have signed in since. That is checked when the user returns
  // to this one, but not when the page shows what it has just requested.
  staleTime: ({ state }) => (state.data?.ok === true ? Infinity : 0),
  refetchOnMount: false,
});

/** Returns whether an error means that no operator is signed in. */
function isSignedOut(error: Error | null): boolean {
  return (
    error instanceof UnauthorizedError || error instanceof SessionExpiredError
  );
}

/** Creates the page's query client. */
export function createQueryClient(): QueryClient {
  const leaveIfSignedOut = (error: Error): void => {
    // The page stays until it is known whether the session has ended.
    if (isSignedOut(error)) void queryClient.invalidateQueries(sessionQuery);
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    mutationCache: new MutationCache({
      onError: leaveIfSignedOut,
      // A change can affect lists, counts, and the audit log, so refresh
      // everything.
      onSuccess: () => void queryClient.invalidateQueries(),
    }),
    defaultOptions: {
      // A call without a network fails. Otherwise, it would wait and be sent
      // later, even if the user has canceled it. The platform can also run on
      // the same machine.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        staleTime: 2_000,
        retry: (count, error) => count < 2 && isWorthRetrying(error),
      },
    },
  });
  return queryClient;
}

function isWorthRetrying(error: Error): boolean {
  return !(error instanceof RpcError) || error.status >= 500;
}
