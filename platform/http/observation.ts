import type { Logger } from "pino";
import type { Telemetry } from "@ridlkit/runtime/opentelemetry";
import type { ErrorInfo, Observe, Outcome } from "@ridlkit/runtime/server";
import { toPointer } from "@ridlkit/runtime/validation";

import { projectKey } from "../keys/state.js";
import type { UseCounters } from "../activity/use-counters.js";
import { toExcerpt } from "../process/failures/to-excerpt.js";
import type { Metrics } from "./metrics.js";
import { networkKey, traceKey } from "./note-network.js";
import { requestIdOf } from "./request-id.js";

/** The maximum number and length of invalid fields that the console shows. */
const maxFields = 10;
const maxFieldLength = 100;

/** The maximum length of the cause of an error in the console and the log. */
const maxCauseLength = 300;

/**
 * Returns why a request failed. For invalid fields, it contains what they should
 * be, but not their values, which can be keys.
 */
function causeOf({ cause, failures }: Outcome): string | null {
  const text =
    failures.length === 0
      ? cause
      : failures
          .slice(0, maxFields)
          .map(
            ({ expected, path }) => `${toPointer(path)}: expected ${expected}`,
          )
          .join("; ");
  return text === null ? null : toExcerpt(text, maxCauseLength);
}

/** Callbacks that the generated servers call for each request. */
export interface Observation {
  readonly observe: Observe;
  readonly onError: (error: unknown, info: ErrorInfo) => void;
  /** Called when the number of queued requests changes. */
  readonly onQueue: (change: 1 | -1) => void;
  /** Runs the handler inside the span of its call. */
  readonly withinSpan?: Telemetry["interceptor"];
}

/** Also creates a span for each call. */
export function withSpans(
  observation: Observation,
  { interceptor, observe }: Telemetry,
): Observation {
  return {
    ...observation,
    withinSpan: interceptor,
    observe: (...call) => {
      const ends = [observation.observe(...call), observe(...call)];
      return (outcome) => ends.forEach((end) => end?.(outcome));
    },
  };
}

/**
 * Logs and counts requests. Bodies and headers are left out because they can
 * contain keys. For a failed request, the log contains the cause, and for an
 * invalid one the paths of the invalid fields, but not their values.
 */
export function createObservation(
  log: Logger,
  metrics: Metrics,
  counters?: Pick<UseCounters, "noteCall">,
): Observation {
  return {
    onQueue: metrics.countWaiting,

    observe: (request, facts) => (outcome) => {
      const { service = "", method = "" } = facts ?? {};
      const { status, error, durationMs } = outcome;
      const cause = causeOf(outcome);
      const traceId = facts?.get(traceKey) ?? null;
      const projectId = facts?.get(projectKey);
      const network = facts?.get(networkKey) ?? "";
      metrics.count({ service, method, network }, outcome);
      const invalidFields = outcome.failures.map(({ path }) => toPointer(path));
      if (projectId !== undefined) {
        counters?.noteCall({
          ...{ projectId, service, method, status, error, cause, traceId },
          network: network === "" ? null : network,
          requestId: requestIdOf(request) ?? "",
          invalidFields: invalidFields
            .slice(0, maxFields)
            .map((path) => toExcerpt(path, maxFieldLength)),
          durationMs: Math.round(durationMs),
        });
      }
      log.info(
        {
          requestId: requestIdOf(request),
          service,
          method,
          status,
          durationMs: Math.round(durationMs * 10) / 10,
          project: projectId,
          ...(error !== null && { error }),
          ...(cause !== null && { cause }),
          ...(invalidFields.length > 0 && { invalidFields }),
        },
        "answered",
      );
    },

    onError: (error, { service, method, request, failures }) => {
      const invalidFields = failures.map(({ path }) => toPointer(path));
      const facts = { requestId: requestIdOf(request), service, method };
      log.error({ ...facts, invalidFields, err: error }, "failed");
    },
  };
}
