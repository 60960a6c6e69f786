import type { Contract } from "../../ir/contract.js";
import { allMethods } from "../../ir/methods-of.js";
import type { TargetFault } from "../emitter/target.js";

/**
 * Finds methods whose calls have a key, which the servers of a language do not
 * store.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findIgnoredKeys(
  { hosts }: Contract,
  language: string,
): readonly TargetFault[] {
  const names = allMethods(hosts)
    .filter(({ idempotencyKey }) => idempotencyKey !== "none")
    .map(({ name, service }) => `\`${service}.${name}\``);
  if (names.length === 0) return [];
  return [
    {
      code: "unsupported-idempotency-key",
      severity: "warning",
      key: null,
      message: `${language} servers ignore idempotency keys`,
      notes: [`these are ${listShort(names)}`],
      help: "serve these methods in TypeScript, or store their answers by the header `Idempotency-Key`",
    },
  ];
}

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

function listShort(names: readonly string[]): string {
  const more = names.length - maxListed;
  const shown = names.slice(0, maxListed).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

const maxListed = 5;
