interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

/**
 * Makes a `fetch` of a function that sends requests in the form of ts-rest.
 * `options` are those of each request.
 */
export function fetchBy<Sent>(
  send: (request: Sent) => Promise<Answer>,
  options: RequestInit = {},
): (url: string, init: RequestInit) => Promise<Response> {
  return async (path, init) => {
    const { body, method = "GET", signal } = init;
    const headers: Record<string, string> = {};
    new Headers(init.headers).forEach((value, key) => {
      headers[key] = value;
    });
    const isJson = headers["content-type"]?.includes("json") === true;
    const request: unknown = {
      route: { method, path, responses: {} },
      path,
      method,
      headers,
      body: body ?? undefined,
      rawBody: isJson && typeof body === "string" ? JSON.parse(body) : body,
      contentType: headers["content-type"],
      fetchOptions: signal ? { ...options, signal } : { ...options },
      ...(signal && { signal }),
    };
    return toResponse(await send(request as Sent));
  };
}

function toResponse({ body, headers, status }: Answer): Response {
  const all = new Headers(headers);
  // The body is decoded already.
  all.delete("content-encoding");
  all.delete("content-length");
  if ([204, 205, 304].includes(status) || body === undefined) {
    return new Response(null, { status, headers: all });
  }
  const type = all.get("content-type") ?? "";
  const isText = typeof body === "string" && !type.includes("json");
  if (isText || body instanceof Blob) {
    return new Response(body, { status, headers: all });
  }
  if (!type.includes("json")) all.set("content-type", "application/json");
  return new Response(JSON.stringify(body), { status, headers: all });
}
