/**
 * The part of a request of `node:http`, `node:https`, and `node:http2` that is
 * used.
 */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly httpVersionMajor: number;
  readonly readableEnded: boolean;
  /** Whether the client disconnected before the body was read. */
  readonly aborted?: boolean;
  readonly socket?: NodeSocket;
  /** The result of a body parser, if one ran. */
  readonly body?: unknown;
  /** The body as received, if the framework keeps it. */
  readonly rawBody?: unknown;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What is used of the connection of a request. */
export interface NodeSocket {
  readonly destroyed?: boolean;
  readonly remoteAddress?: string | undefined;
  /** A server that no longer listens is being closed. */
  readonly server?: { readonly listening: boolean } | null;
}

/**
 * The part of a response of `node:http`, `node:https`, and `node:http2` that is
 * used.
 */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly destroyed?: boolean;
  readonly writableEnded?: boolean;
  /** Of HTTP/2 only. */
  readonly stream?: {
    readonly destroyed: boolean;
    close(code?: number): void;
    on(event: "close" | "finish", listener: () => void): unknown;
  };
  on(event: "close" | "drain", listener: () => void): unknown;
  setHeader(name: string, value: string): unknown;
  writeHead(
    status: number,
    headers: Record<string, string | number | string[]>,
  ): unknown;
  /** Sends status and headers; HTTP/2 has it nowhere, and does it at once. */
  flushHeaders?(): unknown;
  /** False: it is full, and says "drain" when it is not any more. */
  write(piece: Uint8Array): boolean;
  end(): unknown;
  end(body: string, encoding: "latin1" | "utf8"): unknown;
  /** Cuts the connection. */
  destroy(): unknown;
}

/** Whether there is nobody any more to get an answer. */
export function isGone(response: NodeResponse): boolean {
  return response.destroyed === true || response.stream?.destroyed === true;
}

/** Of HTTP/2 (RFC 9113, section 7). */
const internalError = 2;

/** Breaks an answer off, so that nobody takes it for all there is. */
export function breakOff(response: NodeResponse): void {
  // `destroy` would tell the client that there was no error.
  if (response.stream !== undefined) response.stream.close(internalError);
  else response.destroy();
}
