import { randomUUID } from "node:crypto";

import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import {
  createTelemetry,
  type Telemetry,
} from "@ridlkit/runtime/opentelemetry";
import type { Logger } from "pino";

import { createFailureLog } from "../process/failures/failure-log.js";

/** Tracing of this process. */
export interface Tracing {
  /** Server options that create a span for each call. */
  readonly telemetry: Telemetry;
  /** Sends the last spans, and ends tracing. */
  stop(): Promise<void>;
}

/** How long a collector may take to accept spans, in milliseconds. */
const timeoutMillis = 5000;

/** How long spans wait for others. A kill loses those that are waiting. */
const scheduledDelayMillis = 1000;

/** Callers choose some values, such as the version of their client. */
const spanLimits = { attributeValueLengthLimit: 256, eventCountLimit: 32 };

/**
 * Starts tracing in this process.
 *
 * Input: what gets the spans, such as a sender to a collector.
 */
export function startTracing(processor: SpanProcessor, log: Logger): Tracing {
  const provider = new TracerProvider({
    spanLimits,
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          "service.name": "ridlkit-platform",
          "service.instance.id": randomUUID(),
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [processor],
  });
  const failures = createFailureLog(log, "cannot send traces");
  setGlobalErrorHandler(failures.note);
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  api.trace.setGlobalTracerProvider(provider);
  return {
    telemetry: createTelemetry(api),
    stop: async () => {
      await provider.shutdown().catch(failures.note);
      api.trace.disable();
      api.propagation.disable();
      api.context.disable();
    },
  };
}

/**
 * Creates a processor that sends spans in batches to a collector.
 * `OTEL_EXPORTER_OTLP_HEADERS` also applies.
 *
 * Input: the collector, without `/v1/traces`.
 */
export function createSender(endpoint: string): BatchSpanProcessor {
  const url = `${endpoint.replace(/\/$/u, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis });
  return new BatchSpanProcessor({ exporter, scheduledDelayMillis });
}
