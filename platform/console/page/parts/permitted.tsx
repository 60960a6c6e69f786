import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePermissions } from "../api/permissions.js";

/** Shows a control only if the operator's role permits its method. */
export function Permitted({
  action,
  children,
}: {
  readonly action: { readonly mutationKey: QueryKey };
  readonly children: ReactNode;
}) {
  const isPermitted = usePermissions();
  return isPermitted(action.mutationKey) ? children : null;
}
