/**
 * The first message from the page to the frame. A port for calls comes with it.
 */
export interface FrameStart {
  /** HTML of the explorer's page. */
  readonly html: string;
  /** The initial location, e.g. `#Shop.GetBook`. */
  readonly hash: string;
}

/** A message from the frame to the page with the current location. */
export interface FramePlace {
  readonly hash: string;
}

/** A message from the frame to the mock server. */
export type FrameMessage =
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly headers: readonly [string, string][];
      /** The body, or null if there is none. */
      readonly body: ArrayBuffer | null;
    }
  | { readonly kind: "abort"; readonly id: number };

/** A message from the mock server: a head, then chunks, then the end. */
export type MockMessage =
  | {
      readonly kind: "head";
      readonly id: number;
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly [string, string][];
    }
  | { readonly kind: "chunk"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
