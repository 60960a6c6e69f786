import { nameContract } from "../../generator/4-emit/typescript/names/name-contract.js";
import type {
  Contract,
  Credential,
  Host,
} from "../../generator/ir/contract.js";
import { variableOf } from "../../tools/credential-names.js";
import { type System, UsageError } from "../system/system.js";
import { headerOf } from "../../generator/http/credentials.js";

/** Flags of commands that call running servers. */
export interface ServerFlags {
  /** Headers, e.g. `X-Tenant: a`. */
  readonly header: readonly string[];
  /** Addresses of hosts, e.g. `shop=https://shop.example.com`. */
  readonly address: readonly string[];
  /** Parameters of addresses, e.g. `network=polygon`. */
  readonly parameter: readonly string[];
}

/**
 * Reads a repeatable flag: `["a=b"]` becomes `[["a", "b"]]`. Header values may
 * be empty. Errors: a {@link UsageError} if the name or the value is missing.
 */
export function readPairs(
  flag: string,
  texts: readonly string[],
  separator: ":" | "=" = "=",
): readonly [string, string][] {
  return texts.map((text) => {
    const at = text.indexOf(separator);
    const name = text.slice(0, Math.max(at, 0)).trim();
    const value = text.slice(at + 1).trim();
    if (name !== "" && (value !== "" || separator === ":")) {
      return [name, value];
    }
    throw new UsageError(
      `\`${flag} ${text}\` is not a name and a value`,
      `write \`${flag} ${separator === "=" ? "name=value" : '"name: value"'}\``,
    );
  });
}

/**
 * Checks that a header can be sent.
 * Errors: a {@link UsageError} that omits the value, which may be secret.
 */
export function checkHeader(source: string, name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    throw new UsageError(
      `\`${source}\` cannot be sent as a header`,
      "a header name cannot contain spaces, and its value must be one line of Latin-1 text",
    );
  }
}

/**
 * Reads credentials, without their schemes, from the environment.
 *
 * The variable for `Authorization` is `RIDL_AUTHORIZATION`. Returns values by
 * key, without credentials that have no value. Errors: a {@link UsageError}
 * for a value that cannot be sent or that begins with the scheme.
 */
export function readCredentials(
  credentials: readonly Credential[],
  { environment }: System,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const credential of credentials) {
    const { key, parameter, scheme } = credential;
    const variable = variableOf(parameter);
    const value = environment[variable];
    if (value === undefined || value === "") continue;
    if (headerOf(credential) !== null) checkHeader(variable, parameter, value);
    if (scheme !== null && startsWithScheme(value, scheme)) {
      throw new UsageError(
        `the value of \`${variable}\` begins with \`${scheme}\``,
        "remove the scheme, because the contract defines it",
      );
    }
    values.set(key, value);
  }
  return values;
}

/** The options of a generated client that flags and the environment set. */
export interface ReadOptions {
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: readonly [string, string][];
  /** Values by the names of the client's options. */
  readonly credentials: Readonly<Record<string, string | undefined>>;
}

/** Reads the options of a generated client. Errors: a {@link UsageError}. */
export function readClientOptions(
  contract: Contract,
  flags: ServerFlags,
  system: System,
): ReadOptions {
  const headers = readPairs("--header", flags.header, ":");
  for (const [name, value] of headers) {
    checkHeader(`--header ${name}`, name, value);
  }
  const names = nameContract(contract);
  const values = readCredentials(contract.credentials, system);
  return {
    parameters: Object.fromEntries(readPairs("--parameter", flags.parameter)),
    headers,
    credentials: Object.fromEntries(
      contract.credentials.map((each) => [
        names.credential(each).property,
        values.get(each.key),
      ]),
    ),
  };
}

/** Whether a header value begins with a scheme, ignoring case. */
export function startsWithScheme(value: string, scheme: string): boolean {
  const [word = ""] = value.split(" ");
  return word.toLowerCase() === scheme.toLowerCase();
}

/**
 * Returns the addresses of hosts, with parameters filled in. `--address` takes
 * precedence over `url`.
 *
 * Input: the hosts that are called. Returns addresses by host name, without
 * hosts that have no address. Errors: a {@link UsageError} for an invalid
 * address, a missing parameter or an unknown host.
 */
export function readAddresses(
  { address, parameter }: ServerFlags,
  url: string | undefined,
  contract: Contract,
  called: readonly Host[],
): ReadonlyMap<string, string> {
  const addresses = new Map(readPairs("--address", address));
  const names = contract.hosts.map(({ name }) => name);
  for (const name of addresses.keys()) {
    if (names.includes(name)) continue;
    const known = names.map((each) => `\`${each}\``).join(", ");
    throw new UsageError(`there is no host \`${name}\``, `hosts: ${known}`);
  }
  const parameters = new Map(readPairs("--parameter", parameter));
  return new Map(
    called.flatMap(({ basePath, name, services }) => {
      const template = addresses.get(name) ?? url;
      if (template === undefined) return [];
      const filled = fillAddress(name, template, parameters);
      const hasBasePath = services.some(({ methods }) =>
        methods.some(({ route }) => route.kind === "rpc"),
      );
      for (const segment of hasBasePath ? basePath.segments : []) {
        if (segment.kind === "parameter") {
          requireParameter(name, segment.name, parameters);
        }
      }
      return [[name, filled] as const];
    }),
  );
}

function fillAddress(
  host: string,
  address: string,
  parameters: ReadonlyMap<string, string>,
): string {
  const filled = address.replace(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(requireParameter(host, name, parameters)),
  );
  if (isBaseAddress(filled)) return filled;
  // The message omits the address, which may contain a password.
  throw new UsageError(
    `the address of host \`${host}\` is not the base address of a server`,
    "write an address such as `https://api.example.com`, without a user, query or fragment",
  );
}

function requireParameter(
  host: string,
  name: string,
  parameters: ReadonlyMap<string, string>,
): string {
  const value = parameters.get(name);
  // Clients would resolve `.` and `..` as relative path segments.
  if (value !== undefined && !/^\.{1,2}$/u.test(value)) return value;
  throw new UsageError(
    `the address of host \`${host}\` needs a value for its parameter \`${name}\``,
    `add \`--parameter ${name}=value\``,
  );
}

/** Whether calls can be sent to paths below an address. */
function isBaseAddress(address: string): boolean {
  if (!/^https?:/u.test(address) || !URL.canParse(address)) return false;
  const { password, username } = new URL(address);
  return !/[?#]/u.test(address) && username === "" && password === "";
}
