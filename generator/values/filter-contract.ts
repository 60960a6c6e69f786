import { neededCredentials } from "../ir/credentials-of.js";
import type { Contract, Host, Method, Service } from "../ir/contract.js";
import { errorsOf, errorsWithData } from "../ir/errors-of.js";
import { methodsOf } from "../ir/methods-of.js";
import { findReachable } from "./reachable-types.js";
import { valuesOf } from "./value.js";

/** Selects part of a contract. An empty list excludes nothing. */
export interface ContractFilter {
  /** Names of services. */
  readonly services: readonly string[];
  /** A method must have one of these: `@name`, or `@name:value`. */
  readonly match: readonly string[];
  /** A method must have none of these. */
  readonly ignore: readonly string[];
}

/** Selects methods. Services and hosts without selected methods are removed. */
export function selectMethods(
  contract: Contract,
  { ignore, match, services: wanted }: ContractFilter,
): Contract {
  const isWanted = (method: Method): boolean =>
    (match.length === 0 || hasSome(method, match)) && !hasSome(method, ignore);
  const select = (service: Service): readonly Service[] => {
    if (wanted.length > 0 && !wanted.includes(service.name)) return [];
    const methods = service.methods.filter(isWanted);
    return methods.length === 0 ? [] : [{ ...service, methods }];
  };
  const hosts = contract.hosts.flatMap((host): readonly Host[] => {
    const services = host.services.flatMap(select);
    return services.length === 0 ? [] : [{ ...host, services }];
  });
  return { ...contract, hosts };
}

function hasSome({ annotations }: Method, wanted: readonly string[]): boolean {
  return annotations.some(
    ({ name, value }) =>
      wanted.includes(`@${name}`) || wanted.includes(`@${name}:${value ?? ""}`),
  );
}

/**
 * Removes the types, errors and credentials that no method uses, but keeps the
 * error for invalid requests.
 */
export function omitUnused(contract: Contract): Contract {
  const services = contract.hosts.flatMap((host) => host.services);
  const methods = methodsOf(services);
  const credentials = neededCredentials(methods, contract);
  const values = valuesOf(contract);
  const answered = new Set([
    ...contract.hosts.map(({ validationError }) => validationError),
    ...credentials.map(({ error }) => error),
    ...contract.hosts.flatMap((host) =>
      methodsOf(host.services).flatMap((method) => errorsOf(host, method)),
    ),
  ]);
  const reached = findReachable(services, values, [
    ...contract.types.flatMap(({ name }) =>
      credentials.some((credential) => credential.name === name) ? name : [],
    ),
    ...errorsWithData(contract, [...answered]).map(({ data }) => data),
    ...contract.hosts.flatMap(({ errorBody }) => errorBody?.struct ?? []),
  ]);
  const known = [...reached].flatMap((name) => {
    const type = values.type(name);
    return type.kind === "alias" ? (type.known ?? []) : [];
  });
  const types = new Set([...reached, ...known]);
  return {
    ...contract,
    credentials,
    types: contract.types.filter(({ name }) => types.has(name)),
    errors: contract.errors.filter(({ name }) => answered.has(name)),
    hosts: contract.hosts.map((host) => ({
      ...host,
      errors: host.errors.filter((name) => answered.has(name)),
    })),
  };
}
