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
