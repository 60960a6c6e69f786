import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Session } from "../generated/types.js";
import { operators } from "./api/console-api.js";
import { Button } from "./parts/button.js";
import { NavLink } from "./parts/nav-link.js";
import { mayLeave } from "./parts/unsaved.js";
import { ThemeChoice } from "./parts/theme-choice.js";

function titleOf({ expiresAt, role }: Session): string {
  const until =
    expiresAt === undefined
      ? ""
      : `, until ${new Date(expiresAt).toLocaleString()}`;
  return `Signed in as ${role}${until}`;
}

/**
 * The frame of all pages except the login page: the bar with its links and the
 * signed-in operator.
 */
export function Shell({
  session,
  onSignOut,
  children,
}: {
  readonly session: Session;
  readonly onSignOut: () => void;
  readonly children: ReactNode;
}) {
  const queryClient = useQueryClient();
  const signOut = useMutation({
    ...operators.signOut.mutationOptions(),
    onSettled: () => {
      const isReset = queryClient.resetQueries();
      onSignOut();
      return isReset;
    },
  });
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          Project console
        </Link>
        <nav aria-label="Console">
          <NavLink href="/" and="/projects">
            Projects
          </NavLink>
          <NavLink href="/calls">Calls</NavLink>
          <NavLink href="/wallets">Wallet links</NavLink>
          <NavLink href="/chains">Chains</NavLink>
          <NavLink href="/money">Money</NavLink>
          <NavLink href="/activity">Audit log</NavLink>
        </nav>
        <div className="account">
          <ThemeChoice />
          <span className="operator" title={titleOf(session)}>
            {session.operator}
            {session.role !== "owner" && ` (${session.role})`}
          </span>
          <Button
            look="quiet"
            isBusy={signOut.isPending}
            onClick={() => mayLeave() && signOut.mutate()}
          >
            Sign out
          </Button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
