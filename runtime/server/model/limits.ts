import { SharedDeadline } from "./deadline.js";
import { maxJsonDepth } from "../../wire/json.js";
import type { ServerMethod } from "./server-method.js";
import type { MethodOptions, ServerOptions } from "./server-options.js";

/** What one method takes. */
export interface Limits {
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  readonly maxDepth: number;
  readonly timeoutMs: number;
  /** The same, for those requests that ask for no less. */
  readonly deadline: SharedDeadline;
  readonly keepAliveMs: number;
  /** Of this method alone. */
  readonly slots: Slots;
}

/** Places for running requests. */
export interface Slots {
  readonly count: number;
  taken: number;
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
  method: ServerMethod,
): Limits {
  const own = optionsOf(options, method);
  const maxDepth = own.maxDepth ?? options.maxDepth ?? 100;
  const timeoutMs = own.timeoutMs ?? options.timeoutMs ?? 60_000;
  return {
    maxBodyBytes: own.maxBodyBytes ?? options.maxBodyBytes ?? 1024 * 1024,
    maxUploadBytes:
      own.maxUploadBytes ?? options.maxUploadBytes ?? 32 * 1024 * 1024,
    maxDepth: Math.min(maxDepth, maxJsonDepth),
    timeoutMs,
    deadline: new SharedDeadline(timeoutMs),
    keepAliveMs: own.keepAliveMs ?? options.keepAliveMs ?? 10_000,
    slots: createSlots(own.maxConcurrent),
  };
}

/** Free places for so many requests; for any number unless given. */
export function createSlots(count: number = Infinity): Slots {
  return { count, taken: 0 };
}

/** Whether no place is free. */
export function isFull({ count, taken }: Slots): boolean {
  return taken >= count;
}
