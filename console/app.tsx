import { useQuery } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { SessionExpiredError } from "../platform/console/generated/errors.js";
import { operators } from "./api/console-api.js";
import { sessionQuery } from "./api/query-client.js";
import { Shell } from "./shell.js";
import { ActivityPage } from "./pages/activity.js";
import { Login } from "./pages/login.js";
import { NotFound } from "./pages/not-found.js";
import { NumberRoute } from "./pages/number-route.js";
import { ProjectPages } from "./pages/project.js";
import { Projects } from "./pages/projects.js";
import { WalletLinks } from "./pages/wallet-links.js";
import { FailureNote } from "./parts/failure-note.js";
import { Waiting } from "./parts/paged-table.js";

/**
 * Shows the page at the current address, or the login page if no operator is
 * signed in.
 */
export function App() {
  const session = useQuery(sessionQuery);
  const networks = useQuery({
    ...operators.listNetworks.queryOptions(),
    enabled: session.data?.ok === true,
    staleTime: Infinity,
  });
  if (session.data?.ok === false) {
    const { error } = session.data;
    return <Login hasExpired={error instanceof SessionExpiredError} />;
  }
  // If a later refetch fails, the page stays, because it can contain a form or a
  // new key.
  if (networks.data === undefined || session.data === undefined) {
    const failed = session.error ? session : networks;
    return (
      <main className="alone">
        {failed.error ? (
          <>
            <h1>Project console</h1>
            <FailureNote error={failed.error} retry={failed.refetch} />
          </>
        ) : (
          <Waiting />
        )}
      </main>
    );
  }
  return (
    <Shell session={session.data.value.session}>
      <Switch>
        <Route path="/">
          <Projects />
        </Route>
        <NumberRoute path="/projects/:id/*?">
          {(id) => <ProjectPages key={id} projectId={id} />}
        </NumberRoute>
        <Route path="/wallets">
          <WalletLinks />
        </Route>
        <Route path="/activity">
          <ActivityPage />
        </Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Shell>
  );
}
