import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Route, Switch } from "wouter";
import { SessionExpiredError } from "../generated/errors.js";
import type { Session } from "../generated/types.js";
import { networksQuery } from "./api/networks.js";
import { sessionQuery } from "./api/query-client.js";
import { Shell } from "./shell.js";
import { ActivityPage } from "./pages/activity.js";
import { AllCalls } from "./pages/calls.js";
import { Chains } from "./pages/chains.js";
import { Login, LoginDialog } from "./pages/login.js";
import { Money } from "./pages/money.js";
import { NotFound, Waiting } from "./parts/loaded.js";
import { NumberRoute } from "./pages/number-route.js";
import { ProjectPages } from "./pages/project.js";
import { Projects } from "./pages/projects.js";
import { WalletLinks } from "./pages/wallet-links.js";
import { FailureNote } from "./parts/failure-note.js";

/**
 * Shows the page at the current address, or the login page if no operator is
 * signed in.
 */
export function App() {
  const session = useQuery(sessionQuery);
  // The last session, until the operator signs out. If it ends in the meantime,
  // the page stays, because it can contain a form or a new key.
  const [last, setLast] = useState<Session | null>(null);
  const current = session.data?.ok === true ? session.data.value.session : null;
  if (current !== null && current !== last) setLast(current);
  const networks = useQuery({
    ...networksQuery,
    enabled: session.data?.ok === true,
  });
  if (session.data?.ok === false && last === null) {
    const { error } = session.data;
    return <Login hasExpired={error instanceof SessionExpiredError} />;
  }
  // If a later refetch fails, the page stays, too.
  const shown = current ?? last;
  if (networks.data === undefined || shown === null) {
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
    <Shell session={shown} onSignOut={() => setLast(null)}>
      <Switch>
        <Route path="/" component={Projects} />
        <NumberRoute path="/projects/:id/*?">
          {(id) => <ProjectPages key={id} projectId={id} />}
        </NumberRoute>
        <Route path="/calls" component={AllCalls} />
        <Route path="/wallets" component={WalletLinks} />
        <Route path="/chains" component={Chains} />
        <Route path="/money" component={Money} />
        <Route path="/activity" component={ActivityPage} />
        <Route component={NotFound} />
      </Switch>
      {session.data?.ok === false && <LoginDialog operator={shown.operator} />}
    </Shell>
  );
}
