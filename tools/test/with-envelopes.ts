import type {
  HostPlan,
  MethodPlan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import { failureInLine, statusInLine } from "./envelope.js";
import type { Reference } from "./reference.js";
import type { ReceivedResponse } from "./send.js";

/**
 * Returns a response with an envelope in place of another body of errors, also in
 * the error that ends a stream of events.
 */
export function withEnvelopes(
  reference: Pick<Reference, "toEnvelope">,
  host: HostPlan,
  method: MethodPlan,
  answer: ReceivedResponse,
): ReceivedResponse {
  const { lines } = answer;
  const isOwn = host.errorBody !== null && method.method.route.kind === "rest";
  if (!isOwn || lines === null) {
    return reference.toEnvelope(host, method, answer);
  }
  const changed = lines.map((line) => {
    const text = failureInLine(line);
    if (text === null) return line;
    const failed = { ...answer, status: statusInLine(line), text };
    const envelope = reference.toEnvelope(host, method, failed);
    return `{"webrpcError":${envelope.text}}`;
  });
  return { ...answer, lines: changed };
}
