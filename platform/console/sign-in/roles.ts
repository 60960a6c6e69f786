import { PermissionDeniedError } from "../../../generated/errors.js";
import type { ConsoleServerOptions } from "../generated/server.js";
import type { OperatorRole } from "../generated/types.js";
import type { OperatorContext } from "./console-parts.js";

/** A method of the console's contract, e.g. `Projects/GetProject`. */
type MethodName = keyof NonNullable<ConsoleServerOptions["methods"]>;

/** The roles that may call a method. */
type Roles = readonly OperatorRole[];

const owner: Roles = ["owner"];
const billing: Roles = ["owner", "billing"];
const support: Roles = ["owner", "support"];
const everyone: Roles = ["owner", "billing", "support", "read-only"];

/**
 * The roles that may call each method. A method that is added to the contract
 * does not compile until it has an entry.
 */
const rolesOf: Readonly<Record<MethodName, Roles>> = {
  "Operators/SignIn": everyone,
  "Operators/SignOut": everyone,
  "Operators/EndSessions": everyone,
  "Operators/GetSession": everyone,
  "Operators/ListNetworks": everyone,
  "Operators/ListNodes": everyone,
  "Operators/ListFollowers": everyone,
  "Projects/ListProjects": everyone,
  "Projects/GetProject": everyone,
  "Projects/CreateProject": owner,
  "Projects/RenameProject": owner,
  "Keys/ListAccessKeys": everyone,
  "Keys/CreateAccessKey": owner,
  "Keys/RollAccessKey": owner,
  "Keys/RevokeAccessKey": owner,
  "Keys/ListSecretKeys": everyone,
  "Keys/CreateSecretKey": owner,
  "Keys/RollSecretKey": owner,
  "Keys/RevokeSecretKey": owner,
  "Keys/RevokeKey": owner,
  "Audiences/ListAudiences": everyone,
  "Audiences/GetAudience": everyone,
  "Audiences/CreateAudience": support,
  "Audiences/RenameAudience": support,
  "Audiences/DeleteAudience": support,
  "Audiences/ListContacts": everyone,
  "Audiences/AddContacts": support,
  "Audiences/RemoveContacts": support,
  "Audiences/ImportContacts": support,
  "Audiences/ExportContacts": support,
  "Wallets/ListWalletLinks": everyone,
  "Wallets/AddWalletLink": support,
  "Wallets/RemoveWalletLink": support,
  "GasTanks/ListGasTanks": everyone,
  "GasTanks/FillGasTank": billing,
  "GasTanks/CorrectGasTank": billing,
  "GasTanks/ListGasTankEntries": everyone,
  "GasTanks/ListRelays": everyone,
  "GasTanks/GetRevertReason": everyone,
  "GasTanks/GetReconciliation": everyone,
  "GasTanks/ListGasSponsors": everyone,
  "GasTanks/SaveGasSponsor": billing,
  "GasTanks/DeleteGasSponsor": billing,
  "Webhooks/ListListeners": everyone,
  "Webhooks/AddListener": support,
  "Webhooks/UpdateListener": support,
  "Webhooks/SendTestEvent": support,
  "Webhooks/ResumeListener": support,
  "Webhooks/DeleteListener": support,
  "Webhooks/ListDeliveries": everyone,
  "Webhooks/GetDelivery": everyone,
  "Webhooks/ReplayDelivery": support,
  "Webhooks/ReplayDeadDeliveries": support,
  "Webhooks/RevealWebhookSecret": owner,
  "Webhooks/RotateWebhookSecret": owner,
  "Orders/ImportOrders": support,
  "Orders/GetOrder": everyone,
  "Activity/ListRefreshTasks": everyone,
  "Activity/GetUsage": everyone,
  "Activity/ListCalls": everyone,
  "Activity/ListActions": everyone,
};

/** Returns the methods that a role may not call. */
export function methodsDeniedTo(role: OperatorRole): string[] {
  return Object.entries(rolesOf).flatMap(([method, roles]) =>
    roles.includes(role) ? [] : [method],
  );
}

/**
 * Rejects a call that a role does not permit. It is called with each session
 * that is verified, before the request is read.
 *
 * Errors: `PermissionDenied`.
 */
export function requireRole(
  role: OperatorRole,
  { method, service }: Pick<OperatorContext, "method" | "service">,
): void {
  const name = `${service}/${method}`;
  if (!methodsDeniedTo(role).includes(name)) return;
  const cause = `the role ${role} does not permit ${name}`;
  throw new PermissionDeniedError({ cause });
}
