import type { Method } from "../ir/contract.js";
import { rememberEach } from "../ir/remember.js";
import { addressOf } from "./address.js";
import { readRequest } from "./request.js";
import { readResponse } from "./response.js";
import type { WireMethod } from "./wire-method.js";

/** Returns what a method is on the wire. */
export const wireOf = rememberEach((method: Method): WireMethod => ({
  address: addressOf(method.route),
  request: readRequest(method),
  response: readResponse(method),
}));
