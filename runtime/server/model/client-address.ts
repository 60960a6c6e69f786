import { isFunction, memberOf } from "../../values/member.js";

/**
 * Returns the client's IP address from what a host passes to a fetch handler in
 * addition to the request: Deno's `remoteAddr`, Bun's `requestIP`, or the Node
 * request of @hono/node-server. Requests of `toNodeListener` know it themselves.
 * Returns null if the connection has no address, and undefined if the host does
 * not provide it.
 */
export function clientAddress(
  request: Request,
  info: unknown,
): string | null | undefined {
  const remote =
    memberOf(info, "remoteAddr") ?? memberOf(request, "remoteAddr");
  if (remote !== undefined) return textOrNull(memberOf(remote, "hostname"));
  const socket = memberOf(memberOf(info, "incoming"), "socket");
  if (socket !== undefined) {
    return textOrNull(memberOf(socket, "remoteAddress"));
  }
  const server = memberOf(info, "server") ?? info;
  const requestIP = memberOf(server, "requestIP");
  if (!isFunction(requestIP)) return undefined;
  return textOrNull(memberOf(requestIP.call(server, request), "address"));
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A host that does not tell the client's address, which a limit requires. */
export class UnknownAddressError extends Error {
  override readonly name = "UnknownAddressError";

  constructor() {
    super(
      "the host does not provide the client's address for the limits per " +
        "tenant: pass the host's second argument to `server.fetch`, or set " +
        "the server option `tenant`",
    );
  }
}
