/**
 * The part of a `node:http`, `node:https`, or `node:http2` request that the
 * adapter uses.
 */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values as received. */
  readonly rawHeaders?: readonly string[];
  readonly httpVersionMajor: number;
  readonly httpVersion?: string;
  readonly readableEnded: boolean;
  /** Whether the client disconnected before the body was read. */
  readonly aborted?: boolean;
  readonly socket?: NodeSocket;
  /** The result of a body parser if one ran. */
  readonly body?: unknown;
  /** The body as received if the framework keeps it. */
  readonly rawBody?: unknown;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  /** Closes the connection of an HTTP/1 request whose body is incomplete. */
  destroy(): unknown;
}

/** The part of a request's connection that the host uses. */
export interface NodeSocket {
  readonly destroyed?: boolean;
  readonly remoteAddress?: string | undefined;
  /** False while the server is being closed. */
  readonly server?: {
    readonly listening: boolean;
    listenerCount?(event: "checkContinue"): number;
  } | null;
  on(event: "close", listener: () => void): unknown;
  removeListener(event: "close", listener: () => void): unknown;
}

/**
 * The part of a `node:http`, `node:https`, or `node:http2` response that the
 * adapter uses.
 */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly destroyed?: boolean;
  readonly writableEnded?: boolean;
  /** Null once the response has ended. */
  readonly socket?: { resetAndDestroy?(): unknown } | null;
  /** Number of bytes that the operating system has not accepted yet. */
  readonly writableLength?: number;
  /** Only present for HTTP/2. */
  readonly stream?: {
    readonly destroyed: boolean;
    close(code?: number): void;
    on(event: "close" | "finish", listener: () => void): unknown;
  };
  on(event: "close" | "drain", listener: () => void): unknown;
  setHeader(name: string, value: string): unknown;
  getHeader?(name: string): unknown;
  writeHead(
    status: number,
    headers: Record<string, string | number | string[]>,
  ): unknown;
  /** Permits a client that waits for it to send the body. */
  writeContinue?(): unknown;
  /** Sends the status and headers if they have not been sent yet. */
  flushHeaders?(): unknown;
  /**
   * Returns false if the buffer is full. "drain" is emitted when there is room.
   */
  write(piece: string | Uint8Array): boolean;
  end(): unknown;
  end(body: string, encoding: "latin1" | "utf8"): unknown;
  /** Closes the connection abruptly. */
  destroy(): unknown;
}

/** Whether the client has disconnected. */
export function isDisconnected(response: NodeResponse): boolean {
  return response.destroyed === true || response.stream?.destroyed === true;
}

/** The HTTP/2 error code INTERNAL_ERROR (RFC 9113, section 7). */
const internalError = 2;

/** Aborts a response, so that the client knows that it is incomplete. */
export function breakOff(response: NodeResponse): void {
  const { socket, stream } = response;
  // `destroy` would end the stream without an error code.
  if (stream !== undefined) return stream.close(internalError);
  try {
    // Over HTTP/1.0, a connection that is merely closed is the normal end.
    socket?.resetAndDestroy?.();
  } catch {
    // Only TCP has resets, and Node has none for TLS.
  }
  response.destroy();
}
