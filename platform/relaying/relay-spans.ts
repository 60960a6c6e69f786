import { addPastSpan, continueTrace, inSpan } from "../tracing/spans.js";
import type { RelayStatus } from "./evidence/reports.js";
import type { Step } from "./next-step.js";
import type { Sending } from "./send-relay.js";

/** A step that changes a relay or sends its transactions. */
type Change = Exclude<Step, { readonly kind: "ask" | "wait" }>;

/**
 * Takes a step in the trace of the request that the relay was accepted in, which
 * may have been a request to another instance.
 */
export function inRelaySpan<Result>(
  step: Change,
  { network, relay: { row, transactions } }: Sending,
  take: () => Promise<Result>,
): Promise<Result> {
  const status = step.kind === "book" ? step.status.value : null;
  const attributes = {
    "ridlkit.relay.id": row.id,
    "ridlkit.network": network.handle,
    "ridlkit.chain.id": network.chainId,
    ...(status && describe(status)),
  };
  return continueTrace(row.traceparent, () => {
    const isMined = status !== null && status.blockNumber !== null;
    const mined =
      isMined && transactions.find(({ hash }) => hash === status.hash);
    // The transaction may have been sent before a crash of this instance.
    if (mined) addPastSpan("wait for block", mined.created_at, attributes);
    return inSpan(`${step.kind} relay`, { attributes }, take);
  });
}

function describe({ blockNumber, cost, gasUsed, hash, state }: RelayStatus) {
  return {
    "ridlkit.relay.state": state,
    "ridlkit.relay.cost": String(cost),
    "ridlkit.transaction.gas_used": Number(gasUsed),
    ...(hash !== null && { "ridlkit.transaction.hash": hash }),
    ...(blockNumber !== null && { "ridlkit.block.number": blockNumber }),
  };
}
