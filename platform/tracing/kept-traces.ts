import { SpanKind } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";

/** The limits on what is kept. A span has less than 20 kB. */
const max = { tracesPerMethod: 20, spans: 5000, spansPerTrace: 200 };

/** How long a trace is kept after its last span, in milliseconds. */
const maxAgeMs = 60 * 60 * 1000;

/** A trace with the spans that have ended in this process. */
export interface KeptTrace {
  readonly id: string;
  /** The method that was called first, or null if it is still running. */
  readonly method: string | null;
  /** In the order in which they ended. */
  readonly spans: readonly ReadableSpan[];
  /** The number of further spans. */
  readonly omitted: number;
}

interface GrowingTrace extends KeptTrace {
  method: string | null;
  readonly spans: ReadableSpan[];
  omitted: number;
  changedAt: number;
}

/**
 * Keeps the last traces of each method in memory, so that frequent calls do not
 * displace rare ones.
 */
export class KeptTraces implements SpanExporter {
  /** The trace that changed last is at the end. */
  readonly #traces = new Map<string, GrowingTrace>();
  #spans = 0;

  /** Returns the traces, newest first. */
  list(): readonly KeptTrace[] {
    this.#forgetOld();
    return [...this.#traces.values()].reverse();
  }

  find(id: string): KeptTrace | null {
    this.#forgetOld();
    return this.#traces.get(id) ?? null;
  }

  export(
    spans: readonly ReadableSpan[],
    done: Parameters<SpanExporter["export"]>[1],
  ): void {
    for (const span of spans) this.#add(span);
    this.#forgetOld();
    done({ code: 0 });
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }

  #add(span: ReadableSpan): void {
    const id = span.spanContext().traceId;
    const trace = this.#traces.get(id) ?? {
      ...{ id, method: null, spans: [], omitted: 0, changedAt: 0 },
    };
    this.#traces.delete(id);
    this.#traces.set(id, trace);
    trace.changedAt = Date.now();
    if (trace.spans.length < max.spansPerTrace) {
      trace.spans.push(span);
      this.#spans += 1;
    } else trace.omitted += 1;
    if (trace.method !== null || span.kind !== SpanKind.SERVER) return;
    trace.method = span.name;
    const similar = [...this.#traces.values()].filter(
      ({ method }) => method === span.name,
    );
    const [oldest] = similar;
    if (oldest && similar.length > max.tracesPerMethod) this.#forget(oldest);
  }

  #forgetOld(): void {
    for (const trace of this.#traces.values()) {
      const isOld = trace.changedAt < Date.now() - maxAgeMs;
      if (!isOld && this.#spans <= max.spans) return;
      this.#forget(trace);
    }
  }

  #forget({ id, spans }: KeptTrace): void {
    this.#traces.delete(id);
    this.#spans -= spans.length;
  }
}
