import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Session } from "../platform/console/generated/types.js";
import { operators } from "./api/console-api.js";
import { Button } from "./parts/button.js";
import { NavLink } from "./parts/nav-link.js";
import { ThemeChoice } from "./parts/theme-choice.js";

/**
 * The frame of all pages except the login page: the bar with its links and the
 * signed-in operator.
 */
export function Shell({
  session,
  children,
}: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  const queryClient = useQueryClient();
  const signOut = useMutation({
    ...operators.signOut.mutationOptions(),
    onSettled: () => queryClient.resetQueries(),
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
          <NavLink href="/wallets">Wallet links</NavLink>
          <NavLink href="/activity">Audit log</NavLink>
        </nav>
        <div className="account">
          <ThemeChoice />
          <span className="operator" title="Signed in">
            {session.operator}
          </span>
          <Button
            look="quiet"
            isBusy={signOut.isPending}
            onClick={() => signOut.mutate()}
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
