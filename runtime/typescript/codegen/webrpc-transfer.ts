import { callTransfer, type TransferMethod } from "../client/transfer.js";
import type { SendCall } from "./webrpc.js";

/** Returns a function that sends requests with files. */
export function sendFiles(method: TransferMethod): SendCall {
  return (options, message, request, call) =>
    callTransfer(options, { ...method, message }, request, call);
}
