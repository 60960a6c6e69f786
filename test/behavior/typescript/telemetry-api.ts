import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientTelemetryApi } from "../../../runtime/typescript/client/client-telemetry.js";
import type {
  TelemetryApi,
  TelemetryAttributes,
  TelemetrySpan,
} from "../../../runtime/typescript/server/opentelemetry.js";

/** A context that stores its trace and its span. */
interface TestContext {
  readonly trace: string;
  readonly span: string | null;
}

interface TestSpan extends TelemetrySpan {
  readonly name: string;
  readonly kind: number;
  readonly parent: TestContext;
  readonly attributes: TelemetryAttributes;
  readonly events: string[];
  status: number | null;
  isEnded: boolean;
}

/**
 * Creates the parts of OpenTelemetry that the runtime uses. They record their
 * calls.
 */
export function createTelemetryApi() {
  const spans: TestSpan[] = [];
  const records: [string, number, TelemetryAttributes][] = [];
  const storage = new AsyncLocalStorage<TestContext>();
  const root: TestContext = { trace: "root", span: null };
  const active = (): TestContext => storage.getStore() ?? root;
  const api: TelemetryApi<TestContext, TestSpan> &
    ClientTelemetryApi<TestContext, TestSpan> = {
    trace: {
      getTracer: () => ({
        startSpan: (name, { kind, attributes }, parent) => {
          const span: TestSpan = {
            name,
            kind,
            parent,
            attributes: { ...attributes },
            events: [],
            status: null,
            isEnded: false,
            setAttributes: (more) => Object.assign(span.attributes, more),
            setStatus: ({ code }) => (span.status = code),
            addEvent: (event) => span.events.push(event),
            end: () => (span.isEnded = true),
          };
          spans.push(span);
          return span;
        },
      }),
      setSpan: (context, { name }) => ({ ...context, span: name }),
    },
    metrics: {
      getMeter: () => ({
        createHistogram: (name, { unit }) => ({
          record: (value, attributes) =>
            void records.push([`${name} ${unit}`, value, attributes]),
        }),
      }),
    },
    propagation: {
      inject: ({ span, trace }, carrier) => {
        carrier["traceparent"] = `${trace} > ${span}`;
      },
      extract: (context, carrier, { get, keys }) => ({
        ...context,
        trace: get(carrier, "traceparent") ?? `none of ${keys(carrier).length}`,
      }),
    },
    context: {
      active,
      with: (context, run) => storage.run(context, run),
    },
  };
  return { api, spans, records, active };
}
