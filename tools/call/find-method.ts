import type {
  Contract,
  Host,
  Method,
  Service,
} from "../../generator/ir/contract.js";
import { omitUnused } from "../../generator/values/filter-contract.js";
import { CallFault, helpWithName } from "./call-fault.js";

/** A method that a contract declares, with its service and host. */
export interface FoundMethod {
  readonly host: Host;
  readonly service: Service;
  readonly method: Method;
  /** E.g. `Shop/GetBook`. No two services of a contract have the same name. */
  readonly name: string;
}

/** Lists the methods that clients can call. */
export function listMethods(contract: Contract): readonly FoundMethod[] {
  return methodsIn(contract).filter(
    ({ method, service }) =>
      service.direction === "inbound" && !method.request.isStream,
  );
}

function methodsIn({ hosts }: Contract): readonly FoundMethod[] {
  return hosts.flatMap((host) =>
    host.services.flatMap((service) =>
      service.methods.map((method) => ({
        host,
        service,
        method,
        name: `${service.name}/${method.name}`,
      })),
    ),
  );
}

/**
 * Finds a method by a name such as `GetBook`, `Shop/GetBook` or `Shop.GetBook`.
 *
 * Errors: a {@link CallFault} if no method or several methods have this name,
 * or if clients cannot call the method.
 */
export function findMethod(contract: Contract, given: string): FoundMethod {
  const name = given.replaceAll(".", "/");
  const named = methodsIn(contract).filter((each) =>
    `/${each.name}`.endsWith(`/${name}`),
  );
  const callable = new Set(listMethods(contract).map((each) => each.method));
  const found = named.filter(({ method }) => callable.has(method));
  const exact = found.filter((each) => each.name === name);
  const [first, ...others] = exact.length > 0 ? exact : found;
  if (first === undefined) throw notCallable(contract, given, named);
  if (others.length === 0) return first;
  const names = [first, ...others].map((each) => `\`${each.name}\``);
  throw new CallFault(
    `several methods are named \`${given}\``,
    `write one of ${names.join(", ")}`,
  );
}

function notCallable(
  contract: Contract,
  given: string,
  [unsuitable]: readonly FoundMethod[],
): CallFault {
  if (unsuitable !== undefined) {
    const isWebhook = unsuitable.service.direction === "outbound";
    return new CallFault(
      `\`${unsuitable.name}\` cannot be called: ${isWebhook ? "it is a webhook, which the server sends" : "its request is a stream"}`,
    );
  }
  const callable = listMethods(contract);
  const hasService = /[./]/u.test(given);
  const known = callable.map(({ method, name }) =>
    hasService ? name : method.name,
  );
  return new CallFault(
    `there is no method \`${given}\``,
    helpWithName(given.replaceAll(".", "/"), known, "the methods are"),
  );
}

/** Removes everything that a call of one method does not need. */
export function onlyMethod(
  contract: Contract,
  { host, method, service }: FoundMethod,
): Contract {
  const services = [{ ...service, methods: [method] }];
  return omitUnused({ ...contract, hosts: [{ ...host, services }] });
}
