import { isIP, type LookupFunction } from "node:net";

import { buildConnector } from "undici";

import { toTheEnd } from "../process/concurrency/caller.js";
import { findAddresses } from "./find-addresses.js";
import { OutboundError } from "./outbound-error.js";

/** Returns whether connecting to an address is allowed. */
export type Guard = (address: string) => boolean;

/** The timeout of a connection, including TLS. */
const connectTimeoutMs = 10_000;

/**
 * Connects only to addresses that the guard allows. It checks the resolved
 * addresses, so it makes no difference if a host name resolves differently a
 * moment later.
 */
export function createGuardedConnect(guard: Guard): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    // The lookup is passed on to node:net, although undici's types do not
    // declare the option.
    ...{ lookup: createGuardedLookup(guard) },
  });
  return (options, callback) => {
    // There is no DNS lookup for IP addresses, so check such addresses here.
    if (isIP(options.hostname) !== 0 && !guard(options.hostname)) {
      callback(refusal(options.hostname), null);
      return;
    }
    connect(options, callback);
  };
}

/**
 * Creates the error for a target that is a private address or that resolves to
 * one.
 */
export function refusal(host: string): OutboundError {
  return new OutboundError("refused", `${host} is not a public address`);
}

function createGuardedLookup(guard: Guard): LookupFunction {
  return (hostname, options, callback) => {
    // A caller who leaves must not make a host look unreachable.
    toTheEnd(() => findAddresses(hostname)).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => guard(address));
        const [first] = allowed;
        if (first === undefined) return callback(refusal(hostname), "");
        if (options.all === true) return callback(null, [...allowed]);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}
