import type { ReactNode } from "react";
import { Route } from "wouter";
import { NotFound } from "../parts/loaded.js";

/**
 * A route whose `id` parameter is a number. Other values show the page for
 * unknown addresses.
 */
export function NumberRoute({
  children,
  ...route
}: {
  /** The path pattern, e.g. `/projects/:id`. */
  readonly path: string;
  readonly children: (id: number) => ReactNode;
}) {
  return (
    <Route<{ readonly id: string }> {...route}>
      {({ id }) =>
        /^\d{1,15}$/u.test(id) ? children(Number(id)) : <NotFound />
      }
    </Route>
  );
}
