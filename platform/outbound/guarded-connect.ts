import { lookup as lookUp, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

import { buildConnector } from "undici";

import { OutboundError } from "./outbound-error.js";

/** Whether an address may be connected to. */
export type Guard = (address: string) => boolean;

/** How long a connection may take, all of TLS included. */
const connectTimeoutMs = 10_000;

/**
 * Connects only where the guard agrees. It sees the very addresses that are
 * then connected to: a name that means something else a moment later changes
 * nothing.
 */
export function createGuardedConnect(guard: Guard): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    // Handed on to node:net, which undici's types do not say.
    ...{ lookup: createGuardedLookup(guard) },
  });
  return (options, callback) => {
    // Addresses are connected to without being looked up.
    if (isIP(options.hostname) !== 0 && !guard(options.hostname)) {
      callback(refusal(options.hostname), null);
      return;
    }
    connect(options, callback);
  };
}

/** The error of a target that is a private address, or leads to one. */
export function refusal(host: string): OutboundError {
  return new OutboundError("refused", `${host} is not a public address`);
}

function createGuardedLookup(guard: Guard): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "");
      const allowed = addresses.filter(({ address }) => guard(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(hostname), "");
      if (options.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}

/** The addresses of a host; none when it is not known. */
export function findAddresses(hostname: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    lookUp(hostname, { all: true }, (error, found: LookupAddress[]) => {
      resolve(error === null ? found.map(({ address }) => address) : []);
    });
  });
}
