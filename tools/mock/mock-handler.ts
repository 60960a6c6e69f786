import type {
  HostPlan,
  MethodPlan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import type { ErrorDeclaration } from "../../generator/ir/contract.js";
import { errorsOf } from "../../generator/ir/errors-of.js";
import type { ContractValues } from "../../generator/values/value.js";
import type { LoadedFunction } from "../loaded.js";
import { joinExtra } from "./join-extra.js";
import { findOverride, type Overrides } from "./overrides.js";

/** The behavior of a mock server. */
export interface MockBehavior {
  readonly seed: string;
  /** Range of response times, in milliseconds. */
  readonly latencyMs: readonly [from: number, to: number];
  /** Share of calls that fail, from 0 to 1. */
  readonly errorRate: number;
  readonly overrides: Overrides;
}

/** What handlers need in order to respond. */
export interface MockAnswers {
  readonly host: HostPlan;
  readonly behavior: MockBehavior;
  readonly values: ContractValues;
  readonly errors: readonly ErrorDeclaration[];
  /** Creates an error by its name in RIDL. Generates its data if it has none. */
  readonly createError: (name: string, given?: GivenError) => unknown;
}

/** The parts of an error that are not generated. */
export interface GivenError {
  readonly data?: unknown;
  /** Default: the status in the contract. */
  readonly status?: number | undefined;
}

/** Creates the handler of a method. `draw` generates its mock data. */
export function createMockHandler(
  answers: MockAnswers,
  method: MethodPlan,
  draw: LoadedFunction,
): LoadedFunction {
  const { errorRate, latencyMs } = answers.behavior;
  const answer = withOverrides(answers, method, draw);
  return async (request) => {
    await wait(latencyMs);
    if (Math.random() < errorRate) throw anyError(answers, method);
    return answer(request);
  };
}

function withOverrides(
  { behavior, createError, values }: MockAnswers,
  { method, request: { message }, response }: MethodPlan,
  draw: LoadedFunction,
): LoadedFunction {
  const key = `${method.service}/${method.name}`;
  const overrides = behavior.overrides.get(key) ?? [];
  return (request) => {
    const override = findOverride(
      overrides,
      joinExtra(values, message.fields, request),
    );
    if (override === null) return draw(request);
    if (override.error !== null) {
      throw createError(override.error, override);
    }
    return response.message.isStream
      ? itemsOf(override.response)
      : override.response;
  };
}

/** Picks one of a method's errors, or an internal one. */
function anyError(
  { createError, errors, host }: MockAnswers,
  { method }: MethodPlan,
): unknown {
  const names = errorsOf(host.host, method);
  const possible = errors.filter(({ name }) => names.includes(name));
  const error = pickAny(possible);
  if (error === undefined) return new Error("injected by --error-rate");
  if (!error.anyStatus) return createError(error.name);
  // Clients can know the other errors by their status alone.
  const taken = possible.flatMap((each) =>
    each.anyStatus ? [] : [each.status],
  );
  const free = anyStatuses.filter((status) => !taken.includes(status));
  return createError(error.name, { status: pickAny(free) });
}

/** The statuses from which errors with any status get one. */
const anyStatuses: readonly number[] = [400, 402, 404, 409, 422, 429, 500, 503];

function pickAny<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

async function* itemsOf(response: unknown): AsyncGenerator<unknown> {
  yield* Array.isArray(response) ? response : [response];
}

async function wait([from, to]: MockBehavior["latencyMs"]): Promise<void> {
  if (to === 0) return;
  const ms = from + Math.random() * (to - from);
  await new Promise((resolve) => setTimeout(resolve, ms));
}
