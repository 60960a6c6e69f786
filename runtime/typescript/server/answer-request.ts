import { encodeUtf8 } from "../values/utf8.js";
import { FetchRequest } from "./fetch-request.js";
import { WebrpcClientDisconnectedError } from "../wire/errors.js";
import {
  answerBy,
  type BodyStream,
  type Handle,
  type HostedRequest,
  type Piece,
  type ServerResponse,
} from "./model/exchange.js";
import { nextPiece } from "./responses/taking.js";

/**
 * Responds to a web-standard request.
 *
 * Input: `info` is what the host passes in addition to the request.
 * `readAgain` returns a body that other code has already read. Null if the host
 * does not keep such bodies.
 */
export function answerRequest(
  handle: Handle,
  request: Request & Partial<HostedRequest>,
  info: unknown,
  readAgain: (() => Promise<ArrayBuffer>) | null,
): Promise<Response> {
  const hosted = request[answerBy]?.(handle);
  if (hosted) return hosted;
  const read = new FetchRequest(request, info, readAgain);
  return handle(read).then((answer) => {
    if (answer.stream !== undefined) {
      // The handler may still read the request while it responds.
      const end = (): void => {
        read.end();
        void read.unread?.discard();
      };
      return toStreamResponse(answer, answer.stream, end);
    }
    read.end();
    const rest = read.unread;
    if (rest === null) return toResponse(answer);
    return rest.discard().then(() => toResponse(answer));
  });
}

/** Converts a response to a web-standard one. */
export function toResponse(answer: ServerResponse): Response {
  const { body, stream } = answer;
  if (stream !== undefined) return toStreamResponse(answer, stream);
  return new Response(body === "" ? null : body, initOf(answer));
}

/** Some hosts add headers to the object, which other responses may share. */
function initOf({ cookies, headers, status }: ServerResponse): ResponseInit {
  if (cookies === undefined) return { status, headers: { ...headers } };
  const all = new Headers(headers);
  for (const cookie of cookies) all.append("set-cookie", cookie);
  return { status, headers: all };
}

function toStreamResponse(
  answer: ServerResponse,
  stream: BodyStream,
  onEnd?: () => void,
): Response {
  return new Response(toReadable(stream, onEnd), initOf(answer));
}

/**
 * Converts a body to a web-standard stream that is read on demand. `onEnd` is
 * called when it ends, fails or is canceled.
 */
export function toReadable(
  stream: BodyStream,
  onEnd: () => void = () => {},
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream.onSlow = () => {
          onEnd();
          controller.error(
            new WebrpcClientDisconnectedError({
              cause: "the client took the response too slowly",
            }),
          );
        };
      },
      async pull(controller) {
        let piece: Piece | null = null;
        try {
          piece = await nextPiece(stream);
        } finally {
          if (piece === null) onEnd();
        }
        if (piece === null) return controller.close();
        controller.enqueue(
          typeof piece === "string" ? encodeUtf8(piece) : piece,
        );
      },
      cancel() {
        onEnd();
        stream.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}
