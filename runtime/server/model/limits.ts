import { type BodyLimits, createBodyLimits } from "./body-pace.js";
import { SharedDeadline } from "./deadline.js";
import { maxJsonDepth } from "../../wire/json.js";
import { type PlaceLimits, Places } from "./places.js";
import type { ServerMethod } from "./server-method.js";
import type { MethodOptions, ServerOptions } from "./server-options.js";

/** What one method takes. */
export interface Limits {
  readonly body: BodyLimits;
  /** Of requests with files. */
  readonly upload: BodyLimits;
  readonly maxDepth: number;
  readonly timeoutMs: number;
  /** The same, for those requests that ask for no less. */
  readonly deadline: SharedDeadline;
  readonly keepAliveMs: number;
}

/** What the options name a method: `Marketplace/GetOrders`. */
export function keyOfMethod({ service, name }: ServerMethod): string {
  return `${service}/${name}`;
}

/** What the options say of one method alone. */
export function optionsOf<State>(
  options: ServerOptions<State>,
  method: ServerMethod,
): MethodOptions {
  return options.methods?.[keyOfMethod(method)] ?? {};
}

/** The limits of a method: its own, else the server's, else the usual ones. */
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
    maxDepth: Math.min(maxDepth, maxJsonDepth),
    timeoutMs,
    deadline: new SharedDeadline(timeoutMs),
    keepAliveMs: own.keepAliveMs ?? options.keepAliveMs ?? 10_000,
  };
}

/**
 * The places for running handlers; null: there is no limit.
 *
 * Input: the server's options, and those of the limit: the same, or a method's.
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
    onQueue,
  });
}

/** The places for bodies that are arriving; null: there is no limit. */
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

function placesFor(limits: PlaceLimits): Places | null {
  const isLimited = Math.min(limits.count, limits.perTenant) < Infinity;
  return isLimited ? new Places(limits) : null;
}
