import { lookup, type LookupAddress, promises } from "node:dns";
import { promisify } from "node:util";

import { createLimit } from "../process/concurrency/limit-work.js";

const lookUp = promisify(lookup);

/** The timeout of a query to a name server, and the number of attempts. */
const timeoutMs = 1500;
const tries = 2;

/** Errors of name servers that do not know a name, or if there are none. */
const unknownCodes = [
  "ENOTFOUND",
  "ENODATA",
  "ESERVFAIL",
  "EREFUSED",
  "ECONNREFUSED",
];

/**
 * The system's lookups share two threads with those of the database and the
 * chains. Leave one of them free, because a name server that a caller controls
 * can take 10 s or more to respond. Connections time out in the meantime.
 */
const limitLookups = createLimit(1, 100, 1, { waitMs: 10_000 });

/**
 * Finds the addresses of a host. Queries the name servers without a thread.
 * Names that they do not know, such as names in the system's `hosts` file, are
 * then looked up by the system, one at a time.
 *
 * Errors: the error of the name server or of the system.
 */
export async function findAddresses(
  hostname: string,
): Promise<readonly LookupAddress[]> {
  const isLocal = /^[^.]+\.?$|\.localhost\.?$/iu.test(hostname);
  const found = isLocal ? [] : await queryServers(hostname);
  if (found.length > 0) return found;
  return limitLookups(() => lookUp(hostname, { all: true }));
}

/** Returns no addresses if the name is unknown. */
async function queryServers(
  hostname: string,
): Promise<readonly LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries });
  const results = await Promise.allSettled([
    resolver.resolve4(hostname).then((all) => all.map(toAddress(4))),
    resolver.resolve6(hostname).then((all) => all.map(toAddress(6))),
  ]);
  const found = results.flatMap((result) =>
    result.status === "fulfilled" ? result.value : [],
  );
  const failure = results.find(
    (result) => result.status === "rejected" && !isUnknown(result.reason),
  );
  if (found.length === 0 && failure?.status === "rejected") {
    throw failure.reason;
  }
  return found;
}

const toAddress = (family: 4 | 6) => (address: string) => ({ address, family });

function isUnknown(error: unknown): boolean {
  return unknownCodes.includes(Object(error).code);
}
