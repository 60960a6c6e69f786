/**
 * Returns the web globals of React Native, emulated: no `crypto`, no streams, no
 * `TextDecoder`, no `structuredClone`, responses without `body`, an
 * `AbortController` like that of the npm package `abort-controller`, and a
 * `FormData` and a `Blob` of its own.
 *
 * Input: the server, which gets the request as React Native passes it to the
 * platform.
 */
export function reactNativeGlobals(
  serve: (url: string, init: RequestInit) => Promise<Response>,
) {
  /** A response that has arrived as a whole. */
  class OwnResponse {
    readonly body = undefined;
    readonly headers: Headers;
    readonly ok: boolean;
    readonly status: number;
    readonly #text: string;

    constructor(text: unknown = null, init: ResponseInit = {}) {
      this.#text = text === null ? "" : String(text);
      this.headers = new Headers(init.headers);
      this.status = init.status ?? 200;
      this.ok = this.status >= 200 && this.status < 300;
    }

    async text(): Promise<string> {
      return this.#text;
    }
  }

  /** Ignores the signal, whose class is not that of Node. */
  class OwnRequest extends Request {
    constructor(url: string, { signal: _, ...init }: RequestInit = {}) {
      super(url, init);
    }
  }

  return {
    AbortController: OwnAbortController,
    Blob: OwnBlob,
    FormData: OwnFormData,
    Headers,
    Request: OwnRequest,
    Response: OwnResponse,
    clearTimeout,
    performance,
    setTimeout,
    fetch: async (url: string, init: RequestInit) => {
      const gone = new Promise<never>((_, reject) => {
        const fail = () => reject(new TypeError("Network request failed"));
        init.signal?.addEventListener("abort", fail);
      });
      const response = await Promise.race([serve(url, init), gone]);
      return new OwnResponse(await response.text(), response);
    },
  };
}

/** Has neither `reason` nor `throwIfAborted`, and ignores options of listeners. */
export class OwnAbortSignal {
  aborted = false;
  readonly listeners = new Set<() => void>();

  addEventListener(_type: string, listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: string, listener: () => void): void {
    this.listeners.delete(listener);
  }
}

class OwnAbortController {
  readonly signal = new OwnAbortSignal();

  abort(): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    for (const listener of [...this.signal.listeners]) listener();
  }
}

/** Has no `stream`. */
class OwnBlob {
  readonly type = "image/png";
  readonly size = 3;
}

/** Sends its parts by means of the platform. */
class OwnFormData {
  readonly parts: [name: string, value: unknown, file?: string][] = [];

  append(...part: [name: string, value: unknown, file?: string]): void {
    this.parts.push(part);
  }
}
