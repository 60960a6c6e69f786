import { isFunction, memberOf } from "../../values/member.js";

/**
 * Returns the client's IP address from what a host passes to a fetch handler in
 * addition to the request: Deno's `remoteAddr`, Bun's `requestIP`, or the Node
 * request of @hono/node-server. Requests of `toNodeListener` know it themselves.
 * Returns undefined if the address is unknown.
 */
export function clientAddress(
  request: Request,
  info: unknown,
): string | undefined {
  const remote =
    memberOf(info, "remoteAddr") ?? memberOf(request, "remoteAddr");
  if (remote !== undefined) return textOf(memberOf(remote, "hostname"));
  const socket = memberOf(memberOf(info, "incoming"), "socket");
  if (socket !== undefined) return textOf(memberOf(socket, "remoteAddress"));
  const server = memberOf(info, "server") ?? info;
  const requestIP = memberOf(server, "requestIP");
  if (!isFunction(requestIP)) return undefined;
  try {
    // Bun returns null for a copy of its request, e.g. of Hono's `mount`.
    return textOf(memberOf(requestIP.call(server, request), "address"));
  } catch {
    // Bun rejects a `Proxy`.
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A client whose address is unknown, although a limit requires it. */
export class UnknownAddressError extends Error {
  override readonly name = "UnknownAddressError";

  constructor() {
    super(
      "the limits per tenant require the client's address, which is unknown: " +
        "pass the host's original request and its second argument to " +
        "`server.fetch`, or set the server option `tenant`",
    );
  }
}
