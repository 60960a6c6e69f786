import type { Contract, Method } from "../../ir/contract.js";
import { isPathRead } from "../../ir/query-fields.js";
import { allMethods } from "../../ir/methods-of.js";
import type { TargetFault } from "../emitter/target.js";

/**
 * Finds methods that the templates of a language cannot call: those with a verb
 * other than GET, or a query, of their own.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findUnsupportedRoutes(
  contract: Contract,
  language: string,
): readonly TargetFault[] {
  return reportMethods(
    contract,
    ({ route }) => !isSupported(route),
    "unsupported-route",
    `${language} code cannot call methods with a verb other than GET or a query in \`@http\``,
  );
}

/**
 * Finds methods whose calls have a key, which the templates of a language do not
 * send.
 *
 * Input: a contract, and the name of the language for messages.
 */
export function findUnsupportedKeys(
  contract: Contract,
  language: string,
): readonly TargetFault[] {
  return reportMethods(
    contract,
    ({ idempotencyKey }) => idempotencyKey !== "none",
    "unsupported-idempotency-key",
    `${language} code cannot call methods with \`@idempotencyKey\``,
  );
}

function reportMethods(
  { hosts }: Contract,
  isFaulty: (method: Method) => boolean,
  code: TargetFault["code"],
  message: string,
): readonly TargetFault[] {
  const names = allMethods(hosts)
    .filter(isFaulty)
    .map(({ name, service }) => `\`${service}.${name}\``);
  if (names.length === 0) return [];
  const listed = names.slice(0, maxListed).join(", ");
  const rest = names.length - maxListed;
  return [
    {
      code,
      severity: "error",
      key: null,
      message,
      notes: [`these are ${listed}${rest > 0 ? ` and ${rest} more` : ""}`],
      help: "exclude them with `filter`, or remove the target",
    },
  ];
}

/**
 * Finds hosts whose errors have a body that the code of a target cannot read.
 *
 * Input: a contract, and what the code is called in messages.
 */
export function findUnsupportedBodies(
  { hosts }: Contract,
  language: string,
): readonly TargetFault[] {
  return hosts.flatMap(({ errorBody, name }) =>
    errorBody === null
      ? []
      : {
          code: "unsupported-error-body",
          severity: "error",
          key: null,
          message: `${language} code cannot read errors whose body is a struct`,
          notes: [`the errors of \`${name}\` are \`${errorBody.struct}\``],
          help: "exclude the services of this host with `filter`, or remove the target",
        },
  );
}

const maxListed = 5;

function isSupported(route: Method["route"]): boolean {
  if (route.kind !== "rest") return true;
  return isPathRead(route) && route.status === 200;
}
