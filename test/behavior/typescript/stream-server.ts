import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type {
  RequestContext,
  RpcServer,
  ServerMethod,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import {
  isRecord,
  isUint32,
} from "../../../runtime/typescript/values/validation.js";
import type { Report } from "../../../runtime/typescript/values/validation.js";
import { checkAnything, plainRow, sampleErrors } from "./sample-server.js";

/** An item of a stream from the test server. */
export interface Tick {
  readonly n: number;
}

/** A handler of the test server. */
export type Watch = (
  request: Record<string, unknown>,
  context: RequestContext,
) => unknown;

function checkTick(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isUint32(value["n"])) {
    report.failAt("n", "an unsigned integer", value["n"]);
  }
}

const watchRow: ServerMethod = {
  ...plainRow,
  service: "Clock",
  name: "Watch",
  handler: ["clock", "watch"],
  route: { kind: "rpc", path: "/rpc/Clock/Watch" },
  checkRequest: checkAnything,
  checkResponse: checkTick,
  isStream: true,
};

/** Creates a server with one streaming method. */
export function createClock(
  watch: Watch,
  options: ServerOptions = {},
  row: Partial<ServerMethod> = {},
): RpcServer {
  const all = { ...options, handlers: { clock: { watch } } };
  return createServer(all, [{ ...watchRow, ...row }]);
}

/** Creates a generator that counts up and records when it is closed. */
export function countTo(last: number, onLeave: () => void = () => {}): Watch {
  return async function* () {
    try {
      for (let n = 1; n <= last; n += 1) yield { n };
    } finally {
      onLeave();
    }
  };
}

/** Creates a declared error, as a handler throws it. */
export function geoblocked(): RpcError {
  return new RpcError(sampleErrors.Geoblocked, { cause: "not in Atlantis" });
}

/** Resolves after the given number of milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until `condition` is true. Fails after ten seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 5) {
    if (waited > 10_000) throw new Error("the condition was never met");
    await sleep(5);
  }
}
