import { methodsOf } from "../../../ir/methods-of.js";
import type {
  Contract,
  Credential,
  Host,
  Method,
  Service,
} from "../../../ir/contract.js";
import { camelCase, pascalCase } from "../../names/casing.js";
import { hostFolders } from "../../names/host-folders.js";
import { NamePool, type TakenNames } from "../../names/name-pool.js";
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
 * Chooses all names of a contract.
 *
 * Names are claimed in this order, each group in the order of the contract:
 * declared types, error classes, messages and unions of errors, the functions of
 * types and messages, hosts, services, methods, credentials, the platform
 * client, schemas, descriptions of pages. As a result, names from the schema change less often than
 * derived names. Names are changed as follows:
 * - characters that TypeScript does not allow are removed (`A-B` → `AB`);
 * - a type with a name that generated code needs (`Record`, `Date`) gets the
 *   suffix `Type`;
 * - requests, responses and unions of errors get the service's name as a prefix
 *   if several services have a method of the same name, or if a declared type
 *   already has the name without the prefix;
 * - a method that would hide a member of every object (`constructor`), or make
 *   its client look like a promise (`then`), gets the suffix `_`;
 * - if names still clash, they get a number: `getOne2`;
 * - names of the runtime are imported under another name if the contract uses
 *   the same name.
 *
 * Input: a checked contract, and names of methods that count as repeated
 * because hosts that are not included have them ({@link Names.repeated}).
 */
export function nameContract(
  contract: Contract,
  repeated: readonly string[] = [],
): Names {
  const pool = new NamePool(reservedNames);
  const types = nameTypes(contract, pool);
  const errorClasses = nameErrors(contract, pool);
  const contractError = pool.claim("ContractError", "DeclaredContractError");
  const uses = countWords(contract, repeated);
  const messages = nameMessages(contract, pool, types, uses);
  const owners = ownersOf(contract, types, messages);
  claimFunctions(owners, pool);
  const hosts = nameHosts(contract, pool);
  const properties = new NamePool(objectMembers);
  const services = nameServices(contract, pool, properties);
  const methods = nameMethods(contract, pool, messages);
  const credentials = nameCredentials(contract, pool);
  const platform = namePlatform(pool);
  const schemas = nameSchemas(owners, pool);
  const pagings = namePagings(contract, pool, methods);
  return {
    type: (name) => types.get(name) ?? name,
    schema: (type) => schemas.get(type) ?? `${type}Schema`,
    errorClass: (name) => errorClasses.get(name) ?? `${name}Error`,
    contractError,
    host: (host) => known(hosts, host),
    service: (service) => known(services, service),
    method: (method) => known(methods, method),
    paging: (method) => known(pagings, method),
    credential: (credential) => known(credentials, credential),
    platform,
    imported: (name, host) => importedName(name, visibleNames(pool, host)),
    fileScope: (host) => new NamePool(none, visibleNames(pool, host)),
    hasClashes: pool.hasClashes || properties.hasClashes,
    repeated: [...uses].flatMap(([word, count]) => (count > 1 ? word : [])),
  };
}

/** Returns the names that are visible in a host's file, or in a shared file. */
function visibleNames(pool: NamePool, host: Host | null = null): TakenNames {
  return host === null ? pool : pool.visibleTo(host.name);
}

function known<Key extends { readonly name: string }, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`no names for ${key.name}`);
  return value;
}

function nameTypes(contract: Contract, pool: NamePool): Map<string, string> {
  const types = new Map<string, string>();
  for (const { host, name } of contract.types) {
    types.set(name, pool.claimFor(host, name, `${name}Type`));
  }
  return types;
}

function nameErrors(contract: Contract, pool: NamePool): Map<string, string> {
  const classes = new Map<string, string>();
  for (const { name } of contract.errors) {
    classes.set(name, pool.claim(`${name}Error`, `${name}RpcError`));
  }
  return classes;
}

type MessageNames = Pick<MethodNames, "request" | "response" | "error">;

/** Counts the methods with each name, here and in the rest of the contract. */
function countWords(
  contract: Contract,
  repeated: readonly string[],
): ReadonlyMap<string, number> {
  const uses = new Map(repeated.map((word) => [word, 2]));
  for (const { name } of contract.hosts.flatMap(({ services }) =>
    methodsOf(services),
  )) {
    const word = pascalCase(name) || "Method";
    uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  return uses;
}

/** Names the requests, responses and errors of every method. */
function nameMessages(
  contract: Contract,
  pool: NamePool,
  types: ReadonlyMap<string, string>,
  uses: ReadonlyMap<string, number>,
): Map<Method, MessageNames> {
  const named = new Map<Method, MessageNames>();
  for (const host of contract.hosts) {
    for (const { methods, name: service } of host.services) {
      const start = pascalCase(service) || "Service";
      for (const method of methods) {
        const word = pascalCase(method.name) || "Method";
        const isOnly = uses.get(word) === 1;
        const claim = (ending: string): string =>
          isOnly
            ? pool.claimFor(host.name, word + ending, start + word + ending)
            : pool.claimFor(host.name, start + word + ending);
        const typeOr = (struct: string | null, ending: string): string =>
          struct === null ? claim(ending) : (types.get(struct) ?? struct);
        named.set(method, {
          request: typeOr(method.request.struct, "Request"),
          response: typeOr(method.response.struct, "Response"),
          error: claim("Error"),
        });
      }
    }
  }
  return named;
}

/**
 * Returns the host of each type and message by name, or null if hosts share it.
 */
function ownersOf(
  contract: Contract,
  types: ReadonlyMap<string, string>,
  messages: ReadonlyMap<Method, MessageNames>,
): ReadonlyMap<string, string | null> {
  const owners = new Map<string, string | null>();
  for (const { host, name } of contract.types) {
    owners.set(types.get(name) ?? name, host);
  }
  for (const host of contract.hosts) {
    for (const method of methodsOf(host.services)) {
      const { request, response } = known(messages, method);
      for (const name of [request, response]) {
        if (!owners.has(name)) owners.set(name, host.name);
      }
    }
  }
  return owners;
}

/** Prefixes of the functions of a type or message. */
const verbs = ["is", "check", "decode", "read", "encode", "print", "draw"];

/** Reserves the names of validators, codecs, printers and mocks. */
function claimFunctions(
  owners: ReadonlyMap<string, string | null>,
  pool: NamePool,
): void {
  for (const [name, owner] of owners) {
    for (const verb of verbs) pool.claimFor(owner, verb + name);
  }
}

/** Names the constants about pages. It runs last, so that no other name changes. */
function namePagings(
  contract: Contract,
  pool: NamePool,
  methods: ReadonlyMap<Method, MethodNames>,
): ReadonlyMap<Method, string> {
  return new Map(
    contract.hosts.flatMap(({ name, services }) =>
      methodsOf(services).map((method): [Method, string] => {
        const { constant } = known(methods, method);
        return [method, pool.claimFor(name, `${constant}Paging`)];
      }),
    ),
  );
}

/** Names schemas. Only {@link namePagings} runs later. */
function nameSchemas(
  owners: ReadonlyMap<string, string | null>,
  pool: NamePool,
): ReadonlyMap<string, string> {
  return new Map(
    [...owners].map(([type, owner]) => {
      const name = `${camelCase(type)}Schema`;
      return [type, pool.claimFor(owner, name)];
    }),
  );
}

function nameHosts(contract: Contract, pool: NamePool): Map<Host, HostNames> {
  const folders = hostFolders(contract);
  const named = new Map<Host, HostNames>();
  for (const host of contract.hosts) {
    const word = pascalCase(host.name) || "Host";
    const claim = (name: string): string => pool.claimFor(host.name, name);
    named.set(host, {
      folder: folders.get(host) ?? "",
      credentials: claim(`${word}Credentials`),
      options: claim(`${word}HostOptions`),
      client: claim(`${word}HostClient`),
      createClient: claim(`create${word}HostClient`),
      serverOptions: claim(`${word}ServerOptions`),
      createServer: claim(`create${word}Server`),
      responseChecks: claim(`${camelCase(word)}ResponseChecks`),
      createTools: claim(`create${word}Tools`),
      createMocks: claim(`create${word}Mocks`),
    });
  }
  return named;
}

function nameServices(
  contract: Contract,
  pool: NamePool,
  properties: NamePool,
): Map<Service, ServiceNames> {
  const named = new Map<Service, ServiceNames>();
  for (const host of contract.hosts) {
    const claim = (name: string): string => pool.claimFor(host.name, name);
    for (const service of host.services) {
      const word = pascalCase(service.name) || "Service";
      named.set(service, {
        property: claimProperty(
          properties,
          camelCase(service.name) || "service",
        ),
        client: claim(`${word}Client`),
        createClient: claim(`create${word}Client`),
        handler: claim(`${word}Handler`),
        sender: claim(`${word}Sender`),
        createSender: claim(`create${word}Sender`),
        receiverOptions: claim(`${word}ReceiverOptions`),
        createReceiver: claim(`create${word}Receiver`),
        queries: claim(`${word}Queries`),
        createQueries: claim(`create${word}Queries`),
      });
    }
  }
  return named;
}

function nameMethods(
  contract: Contract,
  pool: NamePool,
  messages: ReadonlyMap<Method, MessageNames>,
): Map<Method, MethodNames> {
  const named = new Map<Method, MethodNames>();
  for (const host of contract.hosts) {
    for (const service of host.services) {
      const properties = new NamePool(objectMembers);
      const start = camelCase(service.name) || "service";
      for (const method of service.methods) {
        const constant = start + (pascalCase(method.name) || "Method");
        named.set(method, {
          ...known(messages, method),
          property: claimProperty(
            properties,
            camelCase(method.name) || "method",
          ),
          constant: pool.claimFor(host.name, constant),
        });
      }
    }
  }
  return named;
}

/** Claims a property. Keywords are allowed, but members of `Object` are not. */
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
      camelCase(credential.name) || "credential",
    );
    named.set(credential, {
      property,
      constant: pool.claim(property, `${property}Credential`),
      verify: properties.claim(`verify${pascalCase(property)}`),
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

/** Names an import without claiming the name, for all files of a host. */
function importedName(name: string, taken: TakenNames): string {
  if (!taken.gave(name)) return name;
  const [first = "", ...rest] = name;
  const isType = first === first.toUpperCase();
  const start = isType ? "Runtime" : "runtime";
  const renamed = start + first.toUpperCase() + rest.join("");
  return taken.has(renamed) ? `${renamed}_` : renamed;
}
