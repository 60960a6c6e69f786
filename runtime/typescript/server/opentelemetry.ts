import { createKey } from "../values/context-key.js";
import {
  failedSpan,
  type TelemetryAttributes,
  type TelemetryBase,
  telemetryScope,
  type TelemetrySpan,
  telemetrySystem,
} from "../values/telemetry.js";
import type { ServerRequest } from "./model/exchange.js";
import type { Next } from "./model/interceptor.js";
import type { Observe, Outcome } from "./model/observation.js";

export type {
  TelemetryAttributes,
  TelemetryBase,
  TelemetryHistogram,
  TelemetrySpan,
} from "../values/telemetry.js";

/** The part of the `@opentelemetry/api` package that ridlkit uses. */
export interface TelemetryApi<
  Context,
  Span extends TelemetrySpan,
> extends TelemetryBase<Context, Span> {
  readonly propagation: {
    extract(
      context: Context,
      carrier: ServerRequest,
      getter: {
        get(carrier: ServerRequest, name: string): string | undefined;
        keys(carrier: ServerRequest): string[];
      },
    ): Context;
  };
}

/** Server options that report telemetry. */
export interface Telemetry {
  /**
   * Starts and ends a span for each call to a method, and records its metrics.
   */
  readonly observe: Observe;
  /** Runs the handler inside the span. List it first in `interceptors`. */
  readonly interceptor: <State>(next: Next<State>) => Next<State>;
}

const spanKindServer = 1;

/**
 * Creates spans and metrics according to the OpenTelemetry semantic conventions
 * for RPC: a span `<Service>/<Method>` within the caller's trace, with an event
 * for each step of the request, e.g. `ridlkit.admitted`, and the histograms
 * `rpc.server.duration`, `rpc.server.request.size`, and
 * `rpc.server.response.size`.
 *
 * Input: `import * as api from "@opentelemetry/api"`.
 * Example: `createServer({ observe: telemetry.observe, interceptors:
 * [telemetry.interceptor], … })`.
 */
export function createTelemetry<Context, Span extends TelemetrySpan>(
  api: TelemetryApi<Context, Span>,
): Telemetry {
  const tracer = api.trace.getTracer(telemetryScope);
  const measure = createMeasure(api);
  const contextKey = createKey<Context>("OpenTelemetry context");
  return {
    observe: (request, facts) => {
      if (facts === null) return undefined;
      const { clientVersion, service, method } = facts;
      const attributes: TelemetryAttributes = {
        "rpc.system": telemetrySystem,
        "rpc.service": service,
        "rpc.method": method,
        ...(clientVersion !== null && {
          "ridl.client.contract": clientVersion,
        }),
      };
      const parent = parentOf(api, request);
      const options = { kind: spanKindServer, attributes };
      const span = tracer.startSpan(`${service}/${method}`, options, parent);
      facts.set(contextKey, api.trace.setSpan(parent, span));
      facts.onStep((step) => span.addEvent(`ridlkit.${step}`));
      return (outcome) => {
        const { error, skew, status, streamErrorStatus = status } = outcome;
        const result = resultOf(status, error);
        span.setAttributes({ ...result, ...(skew && { "ridl.skew": skew }) });
        if (streamErrorStatus >= 500) span.setStatus(failedSpan);
        span.end();
        measure(outcome, { ...attributes, ...result });
      };
    },
    interceptor: (next) => async (call) => {
      const context = call.context.get(contextKey);
      if (context === undefined) return next(call);
      const within: Within = (run) => api.context.with(context, run);
      const answer = await within(() => next(call));
      return isAsyncIterable(answer) ? iterateWithin(answer, within) : answer;
    },
  };
}

/** Runs a function within the context of a span. */
type Within = <Result>(run: () => Result) => Result;

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === "object" && value !== null && Symbol.asyncIterator in value
  );
}

/** Returns a stream whose items are created within the context of the span. */
function iterateWithin(
  stream: AsyncIterable<unknown>,
  within: Within,
): AsyncIterable<unknown> {
  const over: IteratorResult<unknown> = { done: true, value: undefined };
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = within(() => stream[Symbol.asyncIterator]());
      return {
        next: () => within(() => iterator.next()),
        return: async () => (await within(() => iterator.return?.())) ?? over,
      };
    },
  };
}

function createMeasure<Context, Span extends TelemetrySpan>(
  api: TelemetryApi<Context, Span>,
): (outcome: Outcome, attributes: TelemetryAttributes) => void {
  const meter = api.metrics.getMeter(telemetryScope);
  const histogram = (name: string, description: string, unit: string) =>
    meter.createHistogram(`rpc.server.${name}`, { description, unit });
  const duration = histogram("duration", "Time until the response", "ms");
  const requests = histogram("request.size", "Length of request bodies", "By");
  const responses = histogram(
    "response.size",
    "Length of response bodies",
    "By",
  );
  return ({ durationMs, requestBytes, responseBytes }, attributes) => {
    duration.record(durationMs, attributes);
    if (requestBytes !== null) requests.record(requestBytes, attributes);
    responses.record(responseBytes, attributes);
  };
}

function resultOf(status: number, error: string | null): TelemetryAttributes {
  return {
    "http.response.status_code": status,
    ...(error !== null && { "error.type": error }),
  };
}

/** Reads the caller's trace from the headers. */
function parentOf<Context, Span extends TelemetrySpan>(
  { context, propagation }: TelemetryApi<Context, Span>,
  request: ServerRequest,
): Context {
  return propagation.extract(context.active(), request, {
    get: (carrier, name) => carrier.header(name) ?? undefined,
    // Only propagators that look for prefixes call this.
    keys: () => [],
  });
}
