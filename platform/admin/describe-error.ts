import { TransportError } from "@ridlkit/runtime/client";
import { isRpcError } from "@ridlkit/runtime/errors";

import { SettingsError } from "../settings/settings-file.js";
import { CommandError } from "./command.js";

const unreachable =
  "cannot reach the console: check that the platform is running and that --url is correct";

const refusedToken =
  "the console rejects the owner's password: check OPERATOR_TOKEN, and that it belongs to this platform";

/**
 * Returns what to print for an error: its message, or the error itself if it is
 * unexpected.
 */
export function describeError(error: unknown): unknown {
  if (error instanceof CommandError || error instanceof SettingsError) {
    return error.message;
  }
  if (error instanceof TransportError && error.reason === "network") {
    return unreachable;
  }
  // System and PostgreSQL errors have a code.
  if (error instanceof Error && "code" in error && !isRpcError(error)) {
    return error.message || error.code;
  }
  if (isRpcError(error, "Unauthorized")) return refusedToken;
  if (!isRpcError(error)) return error;
  return [error.message, error.cause].filter(Boolean).join(": ");
}
