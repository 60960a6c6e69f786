import type { ClientInterceptor } from "../client/call.js";
import { toParts } from "../wire/file-parts.js";

/**
 * Returns an interceptor that sends a file as the whole body, with its media type.
 *
 * Input: the request field that is the file.
 * Errors: the calls throw any error from reading the file.
 */
export function sendFile(field: string): ClientInterceptor {
  return (next) => async (call) => {
    const { fetch: send = fetch, request, signal } = call;
    const { [field]: file, ...fields } = Object(request);
    // All attempts send the same file.
    const [part] = await toParts([[field, file]], signal);
    // An optional file can be absent.
    if (part === undefined) return next(call);
    const [, body] = part;
    return next({
      ...call,
      request: fields,
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        headers.set("content-type", body.type || "application/octet-stream");
        return send(url, { ...init, headers, body });
      },
    });
  };
}
