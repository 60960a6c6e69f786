import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** The name of the tracer of all spans that the platform itself creates. */
const scope = "ridlkit-platform";

/** A span that records nothing. */
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs work as a child of the current span. Outside a trace, only runs it.
 *
 * Input: the attributes must not contain keys or bodies.
 */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = context.active();
  if (trace.getSpan(parent) === undefined) return work(noSpan);
  const span = trace.getTracer(scope).startSpan(name, options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", nameOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Adds a child of the current span that began earlier and ends now. */
export function addPastSpan(
  name: string,
  startedAt: Date,
  attributes: Attributes,
): void {
  const parent = context.active();
  if (trace.getSpan(parent) === undefined) return;
  // The time is that of another machine, whose clock may be ahead.
  const startTime = Math.min(startedAt.getTime(), Date.now());
  const options = { startTime, attributes };
  trace.getTracer(scope).startSpan(name, options, parent).end();
}

/**
 * Returns the current span in the form of the `traceparent` header, with which
 * another process can continue the trace. Returns null outside a trace.
 */
export function readTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Returns the ID of the current trace, or null outside of one. */
export function readTraceId(): string | null {
  const span = trace.getSpanContext(context.active());
  return span !== undefined && isSpanContextValid(span) ? span.traceId : null;
}

/** Runs work in the span that `readTraceparent` returned, if there was one. */
export function continueTrace<Result>(
  traceparent: string | null,
  work: () => Result,
): Result {
  if (traceparent === null) return work();
  return context.with(contextOf(traceparent), work);
}

function contextOf(traceparent: string): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
