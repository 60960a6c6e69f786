import { fieldsAt } from "../../../../generator/http/slots.js";
import { wireOf } from "../../../../generator/http/wire-of.js";
import { codeOf } from "../../../../generator/diagnostics/names.js";
import type {
  ErrorDeclaration,
  Method,
} from "../../../../generator/ir/contract.js";
import {
  type ContractValues,
  valuesOf,
} from "../../../../generator/values/value.js";
import { invalidRequestError } from "../../../../generator/ir/refusal-errors.js";
import { breaksCode, breaksEveryone, type Subject } from "../facts/change.js";
import { type BreakingRules, rulesAboutKept } from "../facts/rule.js";

const keptType = rulesAboutKept(({ types }) => types.kept, typeSubject);
const keptError = rulesAboutKept(({ errors }) => errors.kept, errorSubject);

/** Each kind of type, with its article. */
const kinds = {
  alias: "an alias",
  enum: "an enum",
  struct: "a struct",
  union: "a union",
} as const;

/** Rules about types and errors, as clients and code see them. */
export const declarationRules = {
  "type-no-delete": ({ types: { removed } }) =>
    removed.map((type) => ({
      effects: breaksCode,
      message: `${type.kind} \`${type.name}\` was removed`,
      before: typeSubject(type),
      after: null,
      help: "update the code that imports it",
    })),

  "type-same-kind": keptType(
    ({ before, after }) =>
      before.kind !== after.kind && {
        effects: breaksCode,
        message: `\`${after.name}\` was ${kinds[before.kind]} and is now ${kinds[after.kind]}`,
        help: "declare the new type under another name",
      },
  ),

  "error-no-delete": ({ errors: { removed, added } }) =>
    removed
      // If a new error took the code, that is `error-code-no-reuse`.
      .filter((error) => !added.some(({ code }) => code === error.code))
      .map((error) => ({
        effects: { wire: "danger", ...breaksCode },
        message: `error \`${error.name}\` (${error.code}) was removed`,
        before: errorSubject(error),
        after: null,
        help: "keep it until no client checks for it",
      })),

  "error-code-no-reuse": ({ errors: { removed, added } }) =>
    removed.flatMap((old) =>
      added
        .filter(({ code }) => code === old.code)
        .map((error) => ({
          effects: breaksEveryone,
          message: `code ${error.code} meant \`${old.name}\` and now means \`${error.name}\``,
          before: errorSubject(old),
          after: errorSubject(error),
          help: `give \`${error.name}\` a code that was never used, and keep \`${old.name}\``,
        })),
    ),

  "error-same-code": keptError(
    ({ before, after }) =>
      before.code !== after.code && {
        effects: { wire: "error", "wire-strict": "error" },
        message: `error \`${after.name}\` had the code ${before.code} and now has ${after.code}`,
        help: "declare another error for the new code",
      },
  ),

  "error-same-status": keptError(
    ({ before, after }) =>
      describeStatus(before) !== describeStatus(after) && {
        effects: {
          wire: "danger",
          "wire-strict": "danger",
          // Handlers no longer choose the status.
          ...(before.anyStatus && { "server-source": "error" }),
        },
        message: `error \`${after.name}\` was ${describeStatus(before)} and is now ${describeStatus(after)}`,
        help: "keep the status, unless clients, proxies and caches can treat the error differently",
      },
  ),

  "error-data-no-add": keptError(
    ({ before, after }) =>
      before.data === null &&
      after.data !== null &&
      !after.isDataOptional && {
        effects: { "server-source": "error" },
        message: `error \`${after.name}\` now carries \`${after.data}\``,
        help: "pass the data wherever handlers throw the error",
      },
  ),

  "error-data-no-delete": keptError(
    ({ before, after }) =>
      before.data !== null &&
      after.data === null && {
        effects: { wire: "danger", ...breaksCode },
        message: `error \`${after.name}\` no longer carries \`${before.data}\``,
        help: "keep the data until no client reads it",
      },
  ),

  // If a host has `InvalidArgument`, it is its error for invalid requests.
  "validation-error-same-name": ({ after: contract, methods }) => {
    const values = valuesOf(contract);
    const declared = (name: string) =>
      name === invalidRequestError ? errorSubject({ name }) : null;
    return methods.kept.flatMap(({ before, after }) => {
      const then = before.host.validationError;
      const now = after.host.validationError;
      if (then === now || !mayBeInvalid(after.method, values)) return [];
      const { host, method, service } = after.subject;
      return {
        effects: { wire: "error", "wire-strict": "error" },
        message: `invalid requests to ${codeOf(host)} failed with \`${then}\` and now fail with \`${now}\``,
        before: declared(then),
        after: declared(now),
        path: `the request of \`${service}.${method}\``,
        help: "make sure that clients handle both errors",
      };
    });
  },
} satisfies BreakingRules;

interface Named {
  readonly name: string;
}

function typeSubject({ name }: Named): Subject {
  return { kind: "type", name };
}

function describeStatus({ anyStatus, status }: ErrorDeclaration): string {
  return anyStatus ? "any HTTP status" : `HTTP ${status}`;
}

function errorSubject({ name }: Named): Subject {
  return { kind: "error", name };
}

/** Whether some request can be invalid. A field in a path is always text. */
function mayBeInvalid(method: Method, values: ContractValues): boolean {
  const inPath = fieldsAt(wireOf(method).request, "path").map(
    ({ field }) => field.jsonName,
  );
  return method.request.fields.some((field) => {
    const value = values.valueOf(field);
    if (!inPath.includes(field.jsonName))
      return value.kind !== "scalar" || value.scalar !== "any";
    const isFree = value.kind === "scalar" && value.scalar === "string";
    return (
      !isFree || Object.keys(value.limits).some((key) => key !== "example")
    );
  });
}
