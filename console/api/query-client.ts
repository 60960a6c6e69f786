import {
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
} from "@tanstack/react-query";
import {
  SessionExpiredError,
  UnauthorizedError,
} from "../../platform/console/generated/errors.js";
import { RpcError } from "@ridlkit/runtime/errors";
import { operators } from "./console-api.js";

// Render a running call before the next event. Otherwise, a second click could
// send the call again, or Escape could close the dialog that will show its
// result. The default is a timer, which input events can precede.
notifyManager.setScheduler(queueMicrotask);

/** Returns whether an error means that no operator is signed in. */
export function isSignedOut(error: Error | null): boolean {
  return (
    error instanceof UnauthorizedError || error instanceof SessionExpiredError
  );
}

/** Creates the page's query client. */
export function createQueryClient(): QueryClient {
  const sessionKey = operators.getSession.key;
  const leaveIfSignedOut = (error: Error): void => {
    if (isSignedOut(error))
      void queryClient.resetQueries({ queryKey: sessionKey });
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        // A failed session query already shows the login page.
        if (queryKey[1] !== sessionKey[1]) leaveIfSignedOut(error);
      },
    }),
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
