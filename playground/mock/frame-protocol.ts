/** What the page tells the frame once: the explorer, and who answers its calls. */
export interface FrameStart {
  /** The page of the explorer. */
  readonly html: string;
  /** Where it begins, e.g. `#Shop.GetBook`. */
  readonly hash: string;
}

/** What the frame tells the page: where its visitor is. */
export interface FramePlace {
  readonly hash: string;
}

/** What the frame sends to the mock server. */
export type FrameMessage =
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly headers: readonly [string, string][];
      /** Null if there is none. */
      readonly body: ArrayBuffer | null;
    }
  | { readonly kind: "abort"; readonly id: number };

/** What the mock server sends back: a head, then chunks, then the end. */
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
