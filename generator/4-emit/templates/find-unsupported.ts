import { errorHeadersOf } from "../../ir/request-parts.js";
import { neededCredentials } from "../../ir/credentials-of.js";
import type { Contract, Host, Method } from "../../ir/contract.js";
import { isPathRead } from "../../ir/query-fields.js";
import { allMethods } from "../../ir/methods-of.js";
import type { TargetFault } from "../emitter/target.js";

/**
 * Finds credentials that the templates of a language cannot send or read: those
 * in the query and in cookies, and in a server also alternatives.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findUnsupportedCredentials(
  contract: Contract,
  language: string,
  hasServer: boolean,
): readonly TargetFault[] {
  const methods = allMethods(contract.hosts);
  const keys = neededCredentials(methods, contract)
    .filter(({ place }) => place !== "header")
    .map(({ key }) => `\`${key}\``);
  const choosing = methods
    .filter(({ alternatives }) => hasServer && alternatives.length > 0)
    .map(({ name, service }) => `\`${service}.${name}\``);
  const fault = (message: string, names: readonly string[]): TargetFault => ({
    code: "unsupported-credential",
    severity: "error",
    key: null,
    message: `${language} code has no ${message}`,
    notes: [`these are ${listShort(names)}`],
    help: "exclude the methods with `filter`, or remove the target",
  });
  return [
    ...(keys.length === 0
      ? []
      : [fault("credentials in the query or in cookies", keys)]),
    ...(choosing.length === 0
      ? []
      : [fault("methods with a choice between credentials", choosing)]),
  ];
}

function listShort(names: readonly string[]): string {
  const more = names.length - maxListed;
  const shown = names.slice(0, maxListed).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/**
 * Finds methods that the servers of a language do not have: those with a verb
 * other than GET, or a query, of their own.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findUnsupportedRoutes(
  contract: Contract,
  language: string,
): readonly TargetFault[] {
  return reportMethods(contract, ({ route }) => !isSupported(route), {
    code: "unsupported-route",
    severity: "warning",
    message: `${language} servers do not have methods with a verb other than GET, a query or headers`,
    help: "serve them in TypeScript",
  });
}

/**
 * Finds methods whose calls have a key, which the servers of a language do not
 * store.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findIgnoredKeys(
  contract: Contract,
  language: string,
): readonly TargetFault[] {
  return reportMethods(
    contract,
    ({ idempotencyKey }) => idempotencyKey !== "none",
    {
      severity: "warning",
      code: "unsupported-idempotency-key",
      message: `${language} servers ignore idempotency keys`,
      help: "serve these methods in TypeScript, or store their answers by the header `Idempotency-Key`",
    },
  );
}

function reportMethods(
  { hosts }: Contract,
  isFaulty: (method: Method) => boolean,
  fault: Pick<TargetFault, "code" | "message"> & Partial<TargetFault>,
): readonly TargetFault[] {
  const names = allMethods(hosts)
    .filter(isFaulty)
    .map(({ name, service }) => `\`${service}.${name}\``);
  if (names.length === 0) return [];
  return [
    {
      severity: "error",
      key: null,
      notes: [`these are ${listShort(names)}`],
      help: "exclude them with `filter`, or remove the target",
      ...fault,
    },
  ];
}

/**
 * Finds hosts whose errors have a body that the servers of a target do not write.
 *
 * Input: a contract, and what the code is called in messages.
 */
export function findUnsupportedBodies(
  { hosts }: Contract,
  language: string,
): readonly TargetFault[] {
  return reportBodies(hosts, {
    severity: "warning",
    message: `${language} servers write errors as webrpc's envelope`,
    help: "serve this host in TypeScript if its clients read the errors",
  });
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
  const senders = hosts.filter(({ services }) =>
    services.some(({ direction }) => direction === "outbound"),
  );
  return reportBodies(senders, {
    severity: "warning",
    message: `${language} receivers of webhooks write errors as webrpc's envelope`,
    help: "receive the webhooks in TypeScript if their sender reads the errors",
  });
}

/** Reports each host whose errors have a body of their own. */
function reportBodies(
  hosts: readonly Host[],
  fault: Pick<TargetFault, "help" | "message"> & Partial<TargetFault>,
): readonly TargetFault[] {
  return hosts.flatMap(({ errorBody, name }) =>
    errorBody === null
      ? []
      : {
          ...unreadable,
          notes: [`the errors of \`${name}\` are \`${errorBody.struct}\``],
          ...fault,
        },
  );
}

/**
 * Finds data of errors in headers, which the servers of a target do not write.
 *
 * Input: a contract, and what the code is called in messages.
 */
export function findUnsupportedHeaders(
  { errors, types }: Contract,
  language: string,
): readonly TargetFault[] {
  const data = new Set(errors.map((error) => error.data));
  const structs = types.flatMap((type) =>
    type.kind === "struct" &&
    data.has(type.name) &&
    errorHeadersOf(type.fields).length > 0
      ? `\`${type.name}\``
      : [],
  );
  if (structs.length === 0) return [];
  return [
    {
      ...unreadable,
      severity: "warning",
      message: `${language} servers write all data of errors in the body`,
      notes: [`these structs have fields in headers: ${listShort(structs)}`],
      help: "remove `+ header` from their fields, or serve them in TypeScript",
    },
  ];
}

const unreadable = {
  code: "unsupported-error-body",
  severity: "error",
  key: null,
} as const;

const maxListed = 5;

function isSupported(route: Method["route"]): boolean {
  if (route.kind !== "rest") return true;
  return (
    isPathRead(route) &&
    route.status === 200 &&
    route.statuses.length === 0 &&
    route.responseHeaders.length === 0
  );
}
