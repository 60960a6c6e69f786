import { bothClientsFile } from "../change/both-clients.js";
import type { HelperFile } from "../change/old-client.js";

/** The file that adds the generated client to one of ts-rest. */
export const restClientsFile = bothClientsFile(`/**
 * Adds the methods of a client to another one, whose calls stay for now. Routes
 * and methods with the same name become one function with both forms.
 */
export function addClient<Old extends object, Client extends object>(
  old: Old,
  client: Client,
): Old & Client {
  const both: unknown = merge(old, client);
  return both as Old & Client;
}

function merge(old: object, added: object): object {
  const all: object =
    typeof old === "function"
      ? (...args: unknown[]): unknown => Reflect.apply(old, undefined, args)
      : { ...old };
  for (const [name, value] of Object.entries(added)) {
    const before: unknown = Reflect.get(old, name);
    const isBoth = before instanceof Object && value instanceof Object;
    Reflect.set(all, name, isBoth ? merge(before, value) : value);
  }
  return all;
}
`);

/** The file that uses a function for ts-rest's option \`api\` as \`fetch\`. */
export const fetchByFile: HelperFile = {
  name: "fetch-by",
  exported: "fetchBy",
  text: `type Send = (request: any) => Promise<{
  status: number;
  body: unknown;
  headers: Headers;
}>;

/**
 * Makes a \`fetch\` of a function that sends requests in the form of ts-rest.
 * \`options\` are those of each request.
 */
export function fetchBy(
  send: Send,
  options: RequestInit = {},
): (url: string, init: RequestInit) => Promise<Response> {
  return async (path, init) => {
    const { body, method = "GET", signal } = init;
    const headers: Record<string, string> = {};
    new Headers(init.headers).forEach((value, key) => {
      headers[key] = value;
    });
    const isJson = headers["content-type"]?.includes("json") === true;
    const answer = await send({
      route: { method, path, responses: {} },
      path,
      method,
      headers,
      body: body ?? undefined,
      rawBody: isJson && typeof body === "string" ? JSON.parse(body) : body,
      contentType: headers["content-type"],
      fetchOptions: signal ? { ...options, signal } : { ...options },
      ...(signal && { signal }),
    });
    return toResponse(answer);
  };
}

function toResponse({
  body,
  headers,
  status,
}: Awaited<ReturnType<Send>>): Response {
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
`,
};
