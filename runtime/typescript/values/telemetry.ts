/** Attributes of a span or a measurement. */
export type TelemetryAttributes = Record<string, string | number>;

/** The part of an OpenTelemetry span that ridlkit uses. */
export interface TelemetrySpan {
  setAttributes(attributes: TelemetryAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  addEvent(name: string): unknown;
  end(): void;
}

/** The part of an OpenTelemetry histogram that ridlkit uses. */
export interface TelemetryHistogram {
  record(value: number, attributes: TelemetryAttributes): void;
}

/**
 * The part of the `@opentelemetry/api` package that clients and servers use.
 */
export interface TelemetryBase<Context, Span extends TelemetrySpan> {
  readonly trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number; attributes: TelemetryAttributes },
        parent: Context,
      ): Span;
    };
    setSpan(context: Context, span: Span): Context;
  };
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(
        name: string,
        options: { description: string; unit: string },
      ): TelemetryHistogram;
    };
  };
  readonly context: {
    active(): Context;
    with<Result>(context: Context, run: () => Result): Result;
  };
}

/** Name of the tracer and of the meter. */
export const telemetryScope = "ridlkit";

/** Value of the attribute `rpc.system`. */
export const telemetrySystem = "webrpc";

/** The status of a span that failed. */
export const failedSpan: { readonly code: number } = { code: 2 };
