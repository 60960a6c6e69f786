import type { Contract } from "../../ir/contract.js";
import type { TargetFault } from "../emitter/target.js";

/**
 * Finds hosts whose webhooks have receivers that write errors as envelopes,
 * although the errors of the host have another body.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findUnsupportedReceivers(
  { hosts }: Contract,
  language: string,
): readonly TargetFault[] {
  return hosts.flatMap(({ errorBody, name, services }) =>
    errorBody === null ||
    services.every(({ direction }) => direction === "inbound")
      ? []
      : {
          code: "unsupported-error-body",
          severity: "warning",
          key: null,
          message: `${language} receivers of webhooks write errors as webrpc's envelope`,
          notes: [`the errors of \`${name}\` are \`${errorBody.struct}\``],
          help: "receive the webhooks in TypeScript if their sender reads the errors",
        },
  );
}
