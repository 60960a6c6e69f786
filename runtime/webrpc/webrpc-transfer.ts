import { callTransfer, type TransferMethod } from "../client/transfer.js";
import type { SendCall } from "./webrpc.js";

/** How a method with files is sent; others need nothing of it. */
export function sendFiles(method: TransferMethod): SendCall {
  return (options, message, request, call) =>
    callTransfer(options, { ...method, message }, request, call);
}
