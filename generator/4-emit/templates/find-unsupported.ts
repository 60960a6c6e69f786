import { neededCredentials } from "../../ir/credentials-of.js";
import type { Contract } from "../../ir/contract.js";
import { allMethods } from "../../ir/methods-of.js";
import type { TargetFault } from "../emitter/target.js";

/**
 * Finds credentials that the templates of a language cannot send or read: those
 * in the query and in cookies.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findUnsupportedCredentials(
  contract: Contract,
  language: string,
): readonly TargetFault[] {
  const methods = allMethods(contract.hosts);
  const keys = neededCredentials(methods, contract)
    .filter(({ place }) => place !== "header")
    .map(({ key }) => `\`${key}\``);
  if (keys.length === 0) return [];
  return [
    {
      code: "unsupported-credential",
      severity: "error",
      key: null,
      message: `${language} code has no credentials in the query or in cookies`,
      notes: [`these are ${listShort(keys)}`],
      help: "exclude the methods with `filter`, or remove the target",
    },
  ];
}

function listShort(names: readonly string[]): string {
  const more = names.length - maxListed;
  const shown = names.slice(0, maxListed).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

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

const maxListed = 5;
