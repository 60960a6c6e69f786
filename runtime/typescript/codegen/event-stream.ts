import type { Fetch } from "../client/call.js";
import {
  askFor,
  type ClientMethod,
  parseObject,
} from "../client/client-method.js";
import type { StreamMethod } from "../client/stream.js";
import { same } from "../values/same.js";
import { fromEnvelope } from "../wire/bare-error.js";
import { EventLines, eventType } from "../wire/event-lines.js";
import { endParameter, hasEnd } from "../wire/stream-end.js";

/**
 * Describes a method with an address of its own that responds with a stream of
 * server-sent events. The data of an event named `error` is that of an error
 * response, and the data of all other events are items. `[DONE]` ends the stream.
 *
 * Input: the method with a single response.
 */
export function eventStream<Request, Item, Failure>(
  method: ClientMethod<Request, Item, Failure>,
): StreamMethod<Request, Item, Failure> {
  const { error = fromEnvelope, parse = parseObject, via = same } = method;
  return {
    item: {
      // Some servers compare the header with their own type.
      ...askFor(`${eventType}, ${eventType}${endParameter}`, method),
      via: (send) => readEvents(via(send)),
      parse: (line) => {
        const end = /e(\d*)!$/u.exec(line);
        const text = line.slice(0, end?.index ?? -1);
        // Without its suffix, the line is incomplete.
        if (!end) return line.endsWith("i") ? parse(text) : JSON.parse("");
        const body = JSON.parse(text);
        throw error(body, statusIn(body, end[1]), text);
      },
    },
  };
}

/** Returns the status of an error: the one told with it, or that in the body. */
function statusIn(body: unknown, told = ""): number {
  const status = told ? Number(told) : Object(body).status;
  const isStatus = Number.isInteger(status) && status >= 300 && status <= 599;
  return isStatus ? status : 500;
}

/** Returns a `fetch` whose responses have lines instead of events. */
function readEvents(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const { body, ok, status } = response;
    const type = response.headers.get("content-type") ?? eventType;
    if (!ok || body === null) return response;
    const isEvents = type.toLowerCase().startsWith(eventType);
    const made = new Headers(response.headers);
    // The client rejects every type but that of lines, whose end is always told.
    const own = `ndjson${endParameter}`;
    made.set("content-type", isEvents ? own : rejectedType(type));
    const lines = isEvents ? toLines(body, hasEnd(type)) : body;
    return new Response(lines, { headers: made, status });
  };
}

/** Describes the type of a response that is not a stream of events. */
function rejectedType(type: string): string {
  return /ndjson/i.test(type) ? "lines instead of events" : type;
}

function toLines(
  body: ReadableStream<Uint8Array>,
  isEnded: boolean,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const lines = new EventLines(isEnded);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await reader.read();
      const text = lines.add(decoder.decode(value, { stream: !done }));
      const isOver = done || lines.isDone;
      // Also without any text, because a piece shows that the server is alive.
      controller.enqueue(encoder.encode(isOver ? text + lines.end() : text));
      if (!isOver) return;
      controller.close();
      if (!done) await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
