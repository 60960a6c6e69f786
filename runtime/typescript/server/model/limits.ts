import { createBodyLimits, Memory, type RequestLimits } from "./body-pace.js";
import { SharedDeadline } from "./deadline.js";
import { endsWithRequest } from "./request-scope.js";
import { createSendLimits, type PaceLimits } from "./pace.js";
import { maxJsonDepth } from "../../wire/json-reader.js";
import { memberOf } from "../../values/member.js";
import { requireNumber } from "./option-number.js";
import { quietly } from "../../values/quietly.js";
import { type PlaceLimits, Places } from "./places.js";
import type { ServerMethod } from "./server-method.js";
import type { MethodOptions, ServerOptions } from "./server-options.js";

/** The limits of one method. */
export interface Limits extends RequestLimits {
  /** The limits of responses. */
  readonly send: PaceLimits;
  readonly timeoutMs: number;
  /** The deadline of requests that do not set a shorter one. */
  readonly deadline: SharedDeadline;
  readonly keepAliveMs: number;
}

/**
 * Returns the name of a method in the options, e.g. `Marketplace/GetOrders`.
 */
export function keyOfMethod({ service, name }: ServerMethod): string {
  return `${service}/${name}`;
}

/** Returns the options of one method. */
export function optionsOf<State>(
  options: ServerOptions<State>,
  method: ServerMethod,
): MethodOptions {
  return options.methods?.[keyOfMethod(method)] ?? {};
}

/** The least value of each option that is a number. */
const minimums = {
  maxBodyBytes: 0,
  maxUploadBytes: 0,
  maxDepth: 0,
  timeoutMs: 0,
  keepAliveMs: 1,
  bodyTimeoutMs: 0,
  minBodyRate: 0,
  sendTimeoutMs: 0,
  minSendRate: 0,
  maxConcurrent: 0,
  maxConcurrentPerTenant: 0,
  maxQueued: 0,
  queueMs: 0,
} satisfies Partial<Record<keyof MethodOptions, number>>;

/**
 * Checks the numbers among the options of a server or, with a prefix for
 * messages, of a method.
 *
 * Errors: `TypeError`.
 */
export function requireNumbers(options: MethodOptions, prefix = ""): void {
  for (const [name, minimum] of Object.entries(minimums)) {
    requireNumber(prefix + name, memberOf(options, name), minimum);
  }
}

/** Returns the limits of a method. They default to the server's limits. */
export function limitsOf<State>(
  options: ServerOptions<State>,
  own: MethodOptions,
): Limits {
  const maxDepth = own.maxDepth ?? options.maxDepth ?? 100;
  const timeoutMs = own.timeoutMs ?? options.timeoutMs ?? 60_000;
  const { maxBodyBytes = 1024 * 1024, maxUploadBytes = 32 * 1024 * 1024 } =
    options;
  const pace = [
    own.bodyTimeoutMs ?? options.bodyTimeoutMs,
    own.minBodyRate ?? options.minBodyRate,
  ] as const;
  return {
    body: createBodyLimits(own.maxBodyBytes ?? maxBodyBytes, ...pace),
    upload: createBodyLimits(own.maxUploadBytes ?? maxUploadBytes, ...pace),
    send: createSendLimits(
      own.sendTimeoutMs ?? options.sendTimeoutMs,
      own.minSendRate ?? options.minSendRate,
    ),
    maxDepth: Math.min(maxDepth, maxJsonDepth),
    timeoutMs,
    deadline: new SharedDeadline(timeoutMs),
    keepAliveMs: own.keepAliveMs ?? options.keepAliveMs ?? 5000,
  };
}

/**
 * Creates the slots for running handlers. Returns null if they are unlimited.
 *
 * Input: the server's options, and the options with the limits, which belong to
 * the server or to a method.
 */
export function createPlaces<State>(
  { maxQueued = 0, onQueue = () => {}, queueMs = 2000 }: ServerOptions<State>,
  own: MethodOptions,
): Places | null {
  const { maxConcurrent = Infinity, maxConcurrentPerTenant = Infinity } = own;
  return placesFor({
    count: maxConcurrent,
    perTenant: maxConcurrentPerTenant,
    maxQueued: own.maxQueued ?? maxQueued,
    queueMs: own.queueMs ?? queueMs,
    onQueue: (change) => quietly(() => onQueue(change)),
  });
}

/**
 * Creates the slots for bodies that are being received. Returns null if they
 * are unlimited.
 */
export function createBodyPlaces<State>({
  maxBodiesPerTenant = Infinity,
}: ServerOptions<State>): Places | null {
  return placesFor({
    count: Infinity,
    perTenant: maxBodiesPerTenant,
    maxQueued: 0,
    queueMs: 0,
    onQueue: () => {},
  });
}

/**
 * Limits the bodies in memory to those of as many requests as can run. Returns
 * null if any number can, and on platforms that end requests without a word, where
 * bytes would never be given back.
 */
export function createMemory<State>({
  maxConcurrent = Infinity,
}: ServerOptions<State>): Memory | null {
  const isLimited = maxConcurrent < Infinity && !endsWithRequest();
  return isLimited ? new Memory(maxConcurrent) : null;
}

function placesFor(limits: PlaceLimits): Places | null {
  const isLimited = Math.min(limits.count, limits.perTenant) < Infinity;
  return isLimited ? new Places(limits) : null;
}
