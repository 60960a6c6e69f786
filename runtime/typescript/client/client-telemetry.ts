import type {
  ClientCall,
  ClientInterceptor,
  ClientMethod,
  Fetch,
} from "./call.js";
import { type CallOutcome, observe } from "./observe-calls.js";
import {
  failedSpan,
  type TelemetryAttributes,
  type TelemetryBase,
  telemetryScope,
  type TelemetrySpan,
  telemetrySystem,
} from "../values/telemetry.js";

export type {
  TelemetryAttributes,
  TelemetryBase,
  TelemetryHistogram,
  TelemetrySpan,
} from "../values/telemetry.js";

/** The part of the `@opentelemetry/api` package that clients use. */
export interface ClientTelemetryApi<
  Context,
  Span extends TelemetrySpan,
> extends TelemetryBase<Context, Span> {
  readonly propagation: {
    inject(context: Context, carrier: Record<string, string>): void;
  };
}

const spanKindInternal = 0;
const spanKindClient = 2;

/**
 * Creates an interceptor that reports calls according to the OpenTelemetry
 * semantic conventions for RPC and HTTP: a span `<Service>/<Method>` for each
 * call, a span for each request in it, and the histogram `rpc.client.duration`.
 * Each request continues the trace on the server (`traceparent`). The span of a
 * stream ends when the stream opens.
 *
 * Input: `import * as api from "@opentelemetry/api"`.
 * Example: `use: [createClientTelemetry(api), retry()]`.
 */
export function createClientTelemetry<Context, Span extends TelemetrySpan>(
  api: ClientTelemetryApi<Context, Span>,
): ClientInterceptor {
  const tracer = api.trace.getTracer(telemetryScope);
  const duration = api.metrics
    .getMeter(telemetryScope)
    .createHistogram("rpc.client.duration", {
      description: "Time until the response",
      unit: "ms",
    });
  return (next) => (call) => {
    const { attributes, kind, name } = describeCall(call);
    const parent = api.context.active();
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    const context = api.trace.setSpan(parent, span);
    const traced = ({ fetch: send = fetch, method }: ClientCall): Fetch =>
      createTracedFetch(api, context, method, send);
    const watched = observe({
      onEnd: (_, outcome) => {
        const result = resultOf(outcome);
        span.setAttributes(result);
        if (outcome.error !== null) span.setStatus(failedSpan);
        span.end();
        duration.record(outcome.durationMs, { ...attributes, ...result });
      },
    })((inner) => next({ ...inner, fetch: traced(inner) }));
    return api.context.with(context, () => watched(call));
  };
}

/** Returns a `fetch` that creates a span for each request. */
function createTracedFetch<Context, Span extends TelemetrySpan>(
  api: ClientTelemetryApi<Context, Span>,
  parent: Context,
  method: ClientMethod,
  send: Fetch,
): Fetch {
  const tracer = api.trace.getTracer(telemetryScope);
  const { path } = method;
  let sent = 0;
  return async (url, init) => {
    const attributes = describeRequest(url, init, method);
    if (sent > 0) attributes["http.request.resend_count"] = sent;
    sent += 1;
    const verb = init.method ?? "GET";
    const name = path === "" ? verb : `${verb} ${path}`;
    const options = { kind: spanKindClient, attributes };
    const span = tracer.startSpan(name, options, parent);
    const { signal } = init;
    let isOver = false;
    const end = (result: TelemetryAttributes): void => {
      if (isOver) return;
      isOver = true;
      signal?.removeEventListener("abort", leave);
      span.setAttributes(result);
      if ("error.type" in result) span.setStatus(failedSpan);
      span.end();
    };
    // Some `fetch` functions ignore the signal.
    const leave = (): void => end({ "error.type": nameOf(signal?.reason) });
    signal?.addEventListener("abort", leave);
    try {
      const context = api.trace.setSpan(parent, span);
      const headers = withTrace(api, context, init.headers);
      const response = await api.context.with(context, () =>
        send(url, { ...init, headers }),
      );
      const { status } = response;
      end({
        "http.response.status_code": status,
        ...(status >= 400 && { "error.type": String(status) }),
      });
      return response;
    } catch (error) {
      end({ "error.type": nameOf(error) });
      throw error;
    }
  };
}

/** Adds the headers that identify the trace, such as `traceparent`. */
function withTrace<Context, Span extends TelemetrySpan>(
  { propagation }: ClientTelemetryApi<Context, Span>,
  context: Context,
  headers: RequestInit["headers"],
): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context, carrier);
  return { ...Object.fromEntries(new Headers(headers)), ...carrier };
}

/** Describes the span of a call. */
function describeCall({ method: { event, path } }: ClientCall): {
  readonly name: string;
  readonly kind: number;
  readonly attributes: TelemetryAttributes;
} {
  const [, service, method] = /\/rpc\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (service !== undefined && method !== undefined)
    return {
      name: `${service}/${method}`,
      kind: spanKindClient,
      attributes: {
        "rpc.system": telemetrySystem,
        "rpc.service": service,
        "rpc.method": method,
      },
    };
  // The path of a REST read contains no names, and a webhook has no path.
  return {
    name: path || (event ?? "webhook"),
    kind: spanKindInternal,
    attributes: {},
  };
}

/**
 * Describes a request. Leaves out the user, the password and the query, which
 * can contain secrets.
 */
function describeRequest(
  url: string,
  { method: verb = "GET" }: RequestInit,
  { hidden, path }: ClientMethod,
): TelemetryAttributes {
  const attributes: TelemetryAttributes = {
    "http.request.method": verb,
    ...(path !== "" && { "url.template": path }),
  };
  const address = parse(url);
  // A relative address depends on the page.
  if (address === null) return attributes;
  const { hostname, origin, pathname, port, protocol } = address;
  return {
    ...attributes,
    // Fields of the request can be in the path, and the address of a webhook can be
    // a secret.
    ...(hidden === undefined &&
      path !== "" && { "url.full": origin + pathname }),
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
  };
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

function resultOf({ error, status }: CallOutcome): TelemetryAttributes {
  return {
    ...(status !== null && { "http.response.status_code": status }),
    ...(error !== null && { "error.type": nameOf(error) }),
  };
}

/** Returns the name of an error, e.g. `OrderNotFound`. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
