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
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import {
  createTelemetry,
  type Telemetry,
} from "@ridlkit/runtime/opentelemetry";
import type { Logger } from "pino";

import { createFailureLog } from "../process/failures/failure-log.js";
import type { Settings } from "../settings/read-settings.js";
import { KeptTraces } from "./kept-traces.js";

/** Tracing of this process. */
export interface Tracing {
  /** Server options that create a span for each call. */
  readonly telemetry: Telemetry;
  /** The traces that the page shows, or null if there is no page. */
  readonly kept: KeptTraces | null;
  /** Sends the last spans, and ends tracing. */
  stop(): Promise<void>;
}

/** How long a collector may take to accept spans, in milliseconds. */
const timeoutMillis = 5000;

/** How long spans wait for others. A kill loses those that are waiting. */
const scheduledDelayMillis = 1000;

/** Callers choose some values, such as the version of their client. */
const spanLimits = { attributeValueLengthLimit: 256, eventCountLimit: 32 };

/** Starts tracing in this process, for a collector, the page, or both. */
export function startTracing(
  { otlpEndpoint, tracePage }: Pick<Settings, "otlpEndpoint" | "tracePage">,
  log: Logger,
): Tracing {
  const kept = tracePage ? new KeptTraces() : null;
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
    spanProcessors: [
      ...(kept ? [new SimpleSpanProcessor({ exporter: kept })] : []),
      ...(otlpEndpoint !== null ? [createSender(otlpEndpoint)] : []),
    ],
  });
  const failures = createFailureLog(log, "cannot send traces");
  setGlobalErrorHandler(failures.note);
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  api.trace.setGlobalTracerProvider(provider);
  return {
    kept,
    telemetry: createTelemetry(api),
    stop: async () => {
      await provider.shutdown().catch(failures.note);
      api.trace.disable();
      api.propagation.disable();
      api.context.disable();
    },
  };
}

/** Sends spans in batches. `OTEL_EXPORTER_OTLP_HEADERS` also applies. */
function createSender(endpoint: string): BatchSpanProcessor {
  const url = `${endpoint.replace(/\/$/u, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis });
  return new BatchSpanProcessor({ exporter, scheduledDelayMillis });
}
