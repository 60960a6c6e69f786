import type { BodyStream, Piece } from "../model/exchange.js";

/**
 * Waits until there is something to take.
 *
 * Input: `take` returns undefined if there is nothing yet, and then calls `wake`.
 * Errors: any error from `take`.
 */
export async function taken<Value>(
  take: (wake: () => void) => Value | undefined,
): Promise<Value> {
  for (;;) {
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const value = take(wake);
    if (value !== undefined) return value;
    await woken;
  }
}

/** Waits for the next piece of a body. Errors: as of its `take`. */
export function nextPiece(stream: BodyStream): Promise<Piece | null> {
  return taken((wake) => stream.take(wake));
}

/** Returns the `take` of a body, given what returns its next piece. */
export function takeFrom(
  next: () => Promise<Piece | null>,
): BodyStream["take"] {
  let result: { readonly piece: Piece | null } | null = null;
  let failure: { readonly error: unknown } | null = null;
  let isAsked = false;
  let wake = (): void => {};
  const ask = async (): Promise<void> => {
    try {
      result = { piece: await next() };
    } catch (error) {
      failure = { error };
    }
    wake();
  };
  return (onReady) => {
    if (failure !== null) throw failure.error;
    if (result !== null) {
      const { piece } = result;
      result = null;
      isAsked = false;
      return piece;
    }
    wake = onReady;
    if (!isAsked) void ask();
    isAsked = true;
    return undefined;
  };
}
