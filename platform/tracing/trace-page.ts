import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { type HrTime, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

import { Html, html } from "./html.js";
import type { KeptTrace } from "./kept-traces.js";

const style = readFileSync(new URL("trace-page.css", import.meta.url), "utf8");

// The hash covers the element's exact text.
const styleElement = new Html(`<style>${style}</style>`);
const styleHash = createHash("sha256").update(style).digest("base64");

/** The content security policy of the pages, which have no scripts. */
export const tracePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Prints the list of traces. */
export function printTraces(traces: readonly KeptTrace[]): string {
  const rows = traces.map((trace) => {
    const { startMs, endMs } = boundsOf(trace);
    const count = trace.spans.length + trace.omitted;
    return html`<li class="row">
      <a href="/traces/${trace.id}">${titleOf(trace)}</a>
      ${trace.spans.some(hasFailed) ? failed : ""}
      <span class="quiet">${count} ${count === 1 ? "span" : "spans"}</span>
      <span class="quiet">${printMs(endMs - startMs)}</span>
      <span class="quiet">${printTime(startMs)}</span>
    </li>`;
  });
  const none = html`<p>
    There are no traces yet. The program in platform/relaying.md relays a call.
  </p>`;
  return printPage(
    "Traces",
    rows.length === 0
      ? none
      : html`<ol>
          ${rows}
        </ol>`,
  );
}

/** Prints a trace with a bar for each span, below the span that caused it. */
export function printTrace(trace: KeptTrace): string {
  const bounds = boundsOf(trace);
  const omitted = html`<p>${trace.omitted} more spans were not kept.</p>`;
  return printPage(
    titleOf(trace),
    html`<p><a href="/traces">All traces</a></p>
      <p class="quiet">
        ${trace.id}<br />
        ${printTime(bounds.startMs)}, ${printMs(bounds.endMs - bounds.startMs)}
      </p>
      <ol>
        ${nest(trace.spans).map((each) => printSpan(each, bounds))}
      </ol>
      ${trace.omitted > 0 ? omitted : ""}`,
  );
}

/** A span and the number of spans above it. */
interface Nested {
  readonly span: ReadableSpan;
  readonly depth: number;
}

/** Lists spans with each one before its children, and the earliest first. */
function nest(spans: readonly ReadableSpan[]): readonly Nested[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const sorted = [...spans].sort(
    (one, other) => toMs(one.startTime) - toMs(other.startTime),
  );
  const below = (parent: string | null, depth: number): readonly Nested[] =>
    sorted
      .filter(({ parentSpanContext }) => {
        const id = parentSpanContext?.spanId ?? "";
        return parent === null ? !ids.has(id) : id === parent;
      })
      .flatMap((span) => [
        { span, depth },
        ...below(span.spanContext().spanId, depth + 1),
      ]);
  return below(null, 0);
}

interface Bounds {
  readonly startMs: number;
  readonly endMs: number;
}

function boundsOf({ spans }: KeptTrace): Bounds {
  return {
    startMs: Math.min(...spans.map(({ startTime }) => toMs(startTime))),
    endMs: Math.max(...spans.map(({ endTime }) => toMs(endTime))),
  };
}

function printSpan({ depth, span }: Nested, { startMs, endMs }: Bounds): Html {
  const toPercent = (ms: number): number =>
    (100 * ms) / Math.max(endMs - startMs, 0.001);
  const fromMs = toMs(span.startTime) - startMs;
  const durationMs = toMs(span.duration);
  const facts = Object.entries({
    kind: SpanKind[span.kind]?.toLowerCase(),
    span: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    ...span.attributes,
  }).filter(([, value]) => value !== undefined);
  return html`<li
    class="depth-${Math.min(depth, 3)} ${hasFailed(span) ? "failed" : ""}"
  >
    <details>
      <summary class="row">
        <span class="name">${span.name}</span>
        ${hasFailed(span) ? failed : ""}
        <span class="quiet"> +${printMs(fromMs)}, ${printMs(durationMs)} </span>
        <svg aria-hidden="true">
          <rect
            x="${toPercent(fromMs)}%"
            width="${Math.max(toPercent(durationMs), 0.3)}%"
            height="100%"
            rx="2"
          />
        </svg>
      </summary>
      <dl>
        ${facts.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${String(value)}</dd>`,
        )}
      </dl>
    </details>
  </li>`;
}

const failed = html`<span class="bad">failed</span>`;

function toMs([seconds, nanoseconds]: HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

function hasFailed({ status }: ReadableSpan): boolean {
  return status.code === SpanStatusCode.ERROR;
}

function titleOf({ method, spans }: KeptTrace): string {
  return method ?? spans[0]?.name ?? "";
}

function printMs(ms: number): string {
  return ms < 10_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function printTime(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z/u, " UTC");
}

function printPage(title: string, content: Html): string {
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      ${styleElement}
      <main>
        <h1>${title}</h1>
        ${content}
      </main>
    </html> `;
  return page.text;
}
