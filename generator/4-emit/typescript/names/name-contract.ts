import type {
  Contract,
  Credential,
  Host,
  Method,
  Service,
} from "../../../ir/contract.js";
import { camelCase, kebabCase, pascalCase } from "./casing.js";
import { NamePool } from "./name-pool.js";
import type {
  CredentialNames,
  HostNames,
  MethodNames,
  Names,
  PlatformNames,
  ServiceNames,
} from "./names.js";
import { objectMembers, reservedNames } from "./reserved.js";

const none: ReadonlySet<string> = new Set();

/**
 * Settles all names of a contract.
 *
 * Names come first to first served, in this order, each in the order of the
 * contract: declared types, error classes, requests and responses, unions of
 * errors, hosts, services, methods. So what people wrote keeps its name, and
 * what is derived from it gives way:
 * - characters that TypeScript does not allow are dropped (`A-B` → `AB`);
 * - a type named like something that generated code needs (`Record`, `Date`)
 *   gets the ending `Type`;
 * - requests, responses and unions of errors of a method name that several
 *   services have, or that are named like a declared type, get the service's
 *   name in front;
 * - a method that would hide a member of every object (`constructor`), or make
 *   its client look like a promise (`then`), gets the ending `_`;
 * - what still clashes gets a number: `getOne2`;
 * - names of the runtime are imported under another name when the contract
 *   has the same one.
 *
 * Input: a checked contract. Errors: none.
 */
export function nameContract(contract: Contract): Names {
  const pool = new NamePool(reservedNames);
  const types = nameTypes(contract, pool);
  const errorClasses = nameErrors(contract, pool);
  const contractError = pool.claim("ContractError", "DeclaredContractError");
  const messages = nameMessages(contract, pool, types);
  claimFunctions(pool, types, messages);
  const hosts = nameHosts(contract, pool);
  const services = nameServices(contract, pool);
  const methods = nameMethods(contract, pool, messages);
  const credentials = nameCredentials(contract, pool);
  const platform = namePlatform(pool);
  return {
    type: (name) => types.get(name) ?? name,
    errorClass: (name) => errorClasses.get(name) ?? `${name}Error`,
    contractError,
    host: (host) => known(hosts, host),
    service: (service) => known(services, service),
    method: (method) => known(methods, method),
    credential: (credential) => known(credentials, credential),
    platform,
    imported: importedIn(pool),
    fileScope: () => new NamePool(none, pool),
  };
}

function known<Key extends { readonly name: string }, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`no names for ${key.name}`);
  return value;
}

/** A name that can stand in TypeScript, with the characters that it allows. */
function identifierOf(name: string, fallback: string): string {
  const kept = name.replace(/[^$\p{ID_Continue}]/gu, "") || fallback;
  return /^[$_\p{ID_Start}]/u.test(kept) ? kept : `_${kept}`;
}

function pascal(name: string, fallback: string): string {
  return identifierOf(pascalCase(name), fallback);
}

function camel(name: string, fallback: string): string {
  return identifierOf(camelCase(name), fallback);
}

function nameTypes(contract: Contract, pool: NamePool): Map<string, string> {
  const types = new Map<string, string>();
  for (const { name } of contract.types) {
    const valid = identifierOf(name, "Unnamed");
    types.set(name, pool.claim(valid, `${valid}Type`));
  }
  return types;
}

function nameErrors(contract: Contract, pool: NamePool): Map<string, string> {
  const classes = new Map<string, string>();
  for (const { name } of contract.errors) {
    const valid = identifierOf(name, "Declared");
    classes.set(name, pool.claim(`${valid}Error`, `${valid}RpcError`));
  }
  return classes;
}

type MessageNames = Pick<MethodNames, "request" | "response" | "error">;

/** Types of requests, responses and errors of every method. */
function nameMessages(
  contract: Contract,
  pool: NamePool,
  types: ReadonlyMap<string, string>,
): Map<Method, MessageNames> {
  const methods = contract.hosts.flatMap((host) =>
    host.services.flatMap((service) => service.methods),
  );
  const uses = new Map<string, number>();
  for (const { name } of methods) {
    const word = pascal(name, "Method");
    uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  const claim = (method: Method, ending: string): string => {
    const word = pascal(method.name, "Method");
    const long = pascal(method.service, "Service") + word + ending;
    return uses.get(word) === 1
      ? pool.claim(word + ending, long)
      : pool.claim(long);
  };
  const named = new Map<Method, MessageNames>();
  for (const method of methods) {
    const { request, response } = method;
    named.set(method, {
      request: typeOr(types, request.struct, () => claim(method, "Request")),
      response: typeOr(types, response.struct, () => claim(method, "Response")),
      error: claim(method, "Error"),
    });
  }
  return named;
}

function typeOr(
  types: ReadonlyMap<string, string>,
  struct: string | null,
  claim: () => string,
): string {
  return struct === null ? claim() : (types.get(struct) ?? struct);
}

/** Validators and codecs are not exported by the index, but share its names. */
function claimFunctions(
  pool: NamePool,
  types: ReadonlyMap<string, string>,
  messages: ReadonlyMap<Method, MessageNames>,
): void {
  const names = new Set(types.values());
  for (const { request, response } of messages.values()) {
    names.add(request).add(response);
  }
  for (const name of names) {
    for (const verb of ["is", "check", "decode", "encode"]) {
      pool.claim(verb + name);
    }
  }
}

function nameHosts(contract: Contract, pool: NamePool): Map<Host, HostNames> {
  const folders = new NamePool(new Set(["runtime"]));
  const named = new Map<Host, HostNames>();
  for (const host of contract.hosts) {
    const word = pascal(host.name, "Host");
    named.set(host, {
      folder: folders.claim(kebabCase(host.name) || "host"),
      credentials: pool.claim(`${word}Credentials`),
      options: pool.claim(`${word}HostOptions`),
      client: pool.claim(`${word}HostClient`),
      createClient: pool.claim(`create${word}HostClient`),
      serverOptions: pool.claim(`${word}ServerOptions`),
      createServer: pool.claim(`create${word}Server`),
      responseChecks: pool.claim(`${camelCase(word)}ResponseChecks`),
    });
  }
  return named;
}

function nameServices(
  contract: Contract,
  pool: NamePool,
): Map<Service, ServiceNames> {
  const properties = new NamePool(objectMembers);
  const named = new Map<Service, ServiceNames>();
  for (const service of contract.hosts.flatMap((host) => host.services)) {
    const word = pascal(service.name, "Service");
    named.set(service, {
      property: claimProperty(properties, camel(service.name, "service")),
      client: pool.claim(`${word}Client`),
      createClient: pool.claim(`create${word}Client`),
      handler: pool.claim(`${word}Handler`),
      sender: pool.claim(`${word}Sender`),
      createSender: pool.claim(`create${word}Sender`),
      receiverOptions: pool.claim(`${word}ReceiverOptions`),
      createReceiver: pool.claim(`create${word}Receiver`),
    });
  }
  return named;
}

function nameMethods(
  contract: Contract,
  pool: NamePool,
  messages: ReadonlyMap<Method, MessageNames>,
): Map<Method, MethodNames> {
  const named = new Map<Method, MethodNames>();
  for (const service of contract.hosts.flatMap((host) => host.services)) {
    const properties = new NamePool(objectMembers);
    for (const method of service.methods) {
      const start = camel(service.name, "service");
      named.set(method, {
        ...known(messages, method),
        property: claimProperty(properties, camel(method.name, "method")),
        constant: pool.claim(start + pascal(method.name, "Method")),
      });
    }
  }
  return named;
}

/** Keywords are fine as properties; members of every object are not. */
function claimProperty(properties: NamePool, name: string): string {
  return properties.claim(objectMembers.has(name) ? `${name}_` : name);
}

function nameCredentials(
  contract: Contract,
  pool: NamePool,
): Map<Credential, CredentialNames> {
  const properties = new NamePool(objectMembers);
  const named = new Map<Credential, CredentialNames>();
  for (const credential of contract.credentials) {
    const property = claimProperty(
      properties,
      camel(credential.name, "credential"),
    );
    named.set(credential, {
      property,
      constant: pool.claim(property, `${property}Credential`),
      verify: `verify${pascal(property, "Credential")}`,
    });
  }
  return named;
}

function namePlatform(pool: NamePool): PlatformNames {
  return {
    options: pool.claim("PlatformOptions"),
    credentials: pool.claim("PlatformCredentials"),
    client: pool.claim("PlatformClient"),
    createClient: pool.claim("createPlatformClient"),
  };
}

/** Without claiming, so that every file gets the same answer. */
function importedIn(pool: NamePool): (name: string) => string {
  return (name) => {
    if (!pool.gave(name)) return name;
    const [first = "", ...rest] = name;
    const isType = first === first.toUpperCase();
    const start = isType ? "Runtime" : "runtime";
    const renamed = start + first.toUpperCase() + rest.join("");
    return pool.has(renamed) ? `${renamed}_` : renamed;
  };
}
