import type { RpcServer, ServerRequest } from "@ridlkit/runtime/server";

/** The maximum number of characters of a body to print. */
const maxShown = 160;

/**
 * Wraps a server so that it prints each call and its response. Headers are not
 * printed, because they contain keys. A platform with real users should not
 * print bodies either.
 */
export function printCalls(
  server: RpcServer,
  print: (line: string) => void,
): Pick<RpcServer, "handle"> {
  return {
    handle: async (request) => {
      const start = performance.now();
      let body = "";
      const answer = await server.handle(
        listenTo(request, (text) => {
          body = text;
        }),
      );
      const milliseconds = (performance.now() - start).toFixed(1);
      print(`${request.method} ${request.target} ${crop(body)}`.trimEnd());
      print(`  ${answer.status} in ${milliseconds} ms ${crop(answer.body)}`);
      return answer;
    },
  };
}

function listenTo(
  request: ServerRequest,
  onBody: (text: string) => void,
): ServerRequest {
  return {
    method: request.method,
    target: request.target,
    address: request.address ?? null,
    header: (name) => request.header(name),
    signal: () => request.signal(),
    chunks: (limits) => request.chunks(limits),
    text: async (limits) => {
      const text = await request.text(limits);
      onBody(text);
      return text;
    },
  };
}

function crop(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`;
}
