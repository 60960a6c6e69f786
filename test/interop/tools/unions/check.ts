import { deepStrictEqual } from "node:assert/strict";

/** The address of the server, which `run.js` passes to each client. */
export const address = process.argv[2] ?? "";

/** Sends values of a union, and checks that the server returns each of them. */
export async function check<Value>(
  values: readonly Value[],
  send: (
    value: Value,
  ) => Promise<{ data?: { value: Value } | undefined; error?: unknown }>,
): Promise<void> {
  for (const value of values) {
    const { data, error } = await send(value);
    deepStrictEqual(onWire(data?.value ?? error), onWire(value));
  }
}

/** Some clients set absent fields to undefined. */
const onWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Makes the compiler report variants that a `switch` does not handle. */
export function unreachable(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
