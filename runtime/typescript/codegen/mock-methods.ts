import { Draw, type Make, type MockOptions } from "../server/mock.js";

/** Returns a handler that responds to equal requests with equal data. */
export function mockMethod<T>(
  { seed = "" }: MockOptions,
  name: string,
  make: Make<T>,
): (request: unknown) => T {
  return (request) => make(new Draw(String(seed), name, request));
}

/**
 * Returns a function that makes a response with the fields of one status.
 *
 * Input: the field that is the body with each status, or null, and the field that
 * contains the status itself.
 */
export function mockStatus<T>(
  make: Make<T>,
  bodies: Readonly<Record<number, string | null>>,
  statusField?: string,
): Make<T> {
  const all = Object.entries(bodies);
  return (draw) => {
    let message = Object.entries(Object(make(draw)));
    let fitting = all;
    // All bodies can be absent, although each response has one.
    for (let left = maxDraws; left > 0; left -= 1) {
      const names = message.map(([name]) => name);
      fitting = all.filter(([, body]) => body === null || names.includes(body));
      if (fitting.length > 0) break;
      message = Object.entries(Object(make(draw)));
    }
    const status = Number(draw.pick(fitting.map(([key]) => key)));
    const others = Object.values(bodies).filter(
      (name) => name !== bodies[status],
    );
    const kept = message.filter(([name]) => !others.includes(name));
    const own = statusField === undefined ? [] : [[statusField, status]];
    return Object(Object.fromEntries([...kept, ...own]));
  };
}

/** How often data is drawn until a response has a body. */
const maxDraws = 50;

/**
 * Returns a handler that responds to equal requests with equal streams of up to
 * three items.
 */
export function mockStream<T>(
  { seed = "" }: MockOptions,
  name: string,
  make: Make<T>,
): (request: unknown) => AsyncIterable<T> {
  return async function* (request) {
    yield* new Draw(String(seed), name, request).list(1, 3, make);
  };
}
