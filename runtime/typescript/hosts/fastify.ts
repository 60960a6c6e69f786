import type { BodyStream, RpcServer } from "../server/model/exchange.js";
import { defaultSendLimits } from "../server/model/pace.js";
import { toReadable } from "../server/answer-request.js";
import { keepVary } from "./node/keep-headers.js";
import { breakOff } from "./node/messages.js";
import { NodeExchange } from "./node/exchange.js";
import type { NodeRequest, NodeResponse } from "./node/node.js";
import { watch } from "./node/watch.js";

/** The part of a Fastify instance that the adapter uses. */
export interface FastifyInstance {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (
      request: unknown,
      payload: unknown,
      done: (error: null) => void,
    ) => void,
  ): unknown;
  readonly supportedMethods: readonly string[];
  hasRoute(route: { method: "OPTIONS"; url: string }): boolean;
  route(route: {
    method: string[];
    url: string;
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  }): unknown;
}

/** The part of a Fastify request that the adapter uses. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
}

/** The part of a Fastify reply that the adapter uses. */
export interface FastifyReply {
  readonly raw: NodeResponse;
  code(status: number): unknown;
  headers(values: Record<string, string | string[]>): unknown;
  getHeader?(name: string): unknown;
  send(body: string | ReadableStream | undefined): unknown;
}

/**
 * Returns a plugin for Fastify 5: `app.register(toFastifyPlugin(server))`. It
 * handles every path that no other route matches. If it is registered with a
 * prefix, it handles only paths below the prefix, and the server's paths can be
 * relative to the prefix or to the root, so the prefix `/rpc` also serves a
 * contract whose base path is `/rpc`. The application's body parsers are not
 * affected.
 *
 * Errors: the plugin fails with a `TypeError` if its prefix has parameters.
 */
export function toFastifyPlugin(
  server: RpcServer,
): (
  instance: FastifyInstance,
  options: unknown,
  done: (error?: Error) => void,
) => void {
  return (instance, _options, done) => {
    const { prefix } = instance;
    if (/[:*]/u.test(prefix)) {
      const got = JSON.stringify(prefix);
      const text = `toFastifyPlugin: expected a prefix without parameters, got ${got}`;
      return done(new TypeError(text));
    }
    // Leave the body unread, so that the server can apply its own limits.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", (_request, _payload, parsed) => {
      parsed(null);
    });
    // `@fastify/cors` has a route for the preflight requests of all paths.
    const hasPreflight = instance.hasRoute({
      method: "OPTIONS",
      url: `${prefix}/*`,
    });
    const method = instance.supportedMethods.filter(
      (each) => each !== "OPTIONS" || !hasPreflight,
    );
    instance.route({ method, url: "/*", handler });
    done();

    async function handler(request: FastifyRequest, reply: FastifyReply) {
      const { raw } = request;
      const { url = "/" } = raw;
      const isWhole = prefix !== "" && server.matches(url);
      const target = isWhole ? url : url.slice(prefix.length);
      const exchange = new NodeExchange(raw, reply.raw, target);
      const answer = await server.handle(exchange);
      const {
        status,
        headers,
        cookies,
        body,
        stream,
        pace = defaultSendLimits,
      } = answer;
      reply.code(status);
      const all = { ...headers, ...exchange.connectionHeaders };
      const kept = keepVary(all, reply);
      // Fastify keeps the cookies that other code has set before.
      const own = cookies && { "set-cookie": [...cookies] };
      reply.headers({ ...kept, ...own });
      if (stream !== undefined) {
        return reply.send(toReadable(sent(stream, exchange, reply.raw)));
      }
      exchange.isAnswered = true;
      watch(reply.raw, pace, body.length);
      // Fastify would send the content type and length for an empty string,
      // even with a 304.
      return reply.send(body === "" ? undefined : body);
    }
  };
}

/**
 * Returns a body that marks the exchange as answered when the body ends. If the
 * body fails, it aborts the response, because Fastify does not abort HTTP/2
 * streams.
 */
function sent(
  stream: BodyStream,
  exchange: NodeExchange,
  response: NodeResponse,
): BodyStream {
  stream.onSlow = () => breakOff(response);
  return {
    take(wake) {
      try {
        const piece = stream.take(wake);
        exchange.isAnswered = piece === null;
        return piece;
      } catch (error) {
        // Fastify would send the error's message if nothing has been sent yet.
        breakOff(response);
        throw error;
      }
    },
    cancel: (reason) => stream.cancel(reason),
  };
}
