// Simulates how Lambda's Node runtime streams responses. The stream is the body
// of a request to Lambda's own address. An HTTP response starts with its head
// as JSON, followed by eight zero bytes.
import { PassThrough } from "node:stream";
import {
  type LambdaContext,
  type LambdaEvent,
  type LambdaStreamHandler,
  toLambdaStreamHandler,
} from "../../../runtime/typescript/hosts/lambda.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";

const httpAnswer = "application/vnd.awslambda.http-integration-response";
const delimiterLength = 8;

/** The stream that a handler writes to. */
class ResponseStream extends PassThrough {
  contentType: string | null = null;
  beforeFirstWrite: ((write: (chunk: unknown) => void) => void) | null = null;

  /** Values other than strings and bytes are sent as JSON. */
  override write(chunk: unknown): boolean {
    const before = this.beforeFirstWrite;
    this.beforeFirstWrite = null;
    before?.((each) => super.write(each));
    const isBytes = chunk instanceof Uint8Array;
    const isPlain = typeof chunk === "string" || isBytes;
    return super.write(isPlain ? chunk : JSON.stringify(chunk));
  }
}

const awslambda = {
  streamifyResponse: (handler: LambdaStreamHandler) => handler,
  HttpResponseStream: {
    from(stream: ResponseStream, head: object): ResponseStream {
      stream.contentType = httpAnswer;
      stream.beforeFirstWrite = (write) => {
        write(JSON.stringify(head));
        write(new Uint8Array(delimiterLength));
      };
      return stream;
    },
  },
};

/**
 * Calls a Lambda function, and returns the response once its head has arrived.
 */
export type Invoke = (
  event: LambdaEvent,
  context?: LambdaContext,
  signal?: AbortSignal | null,
) => Promise<Response>;

/** Creates a Lambda function that runs a server. */
export function deploy(server: RpcServer, prefix = ""): Invoke {
  Object.assign(globalThis, { awslambda });
  const handler = toLambdaStreamHandler(server, { prefix });
  Reflect.deleteProperty(globalThis, "awslambda");
  return async (event, context, signal) => {
    const stream = new ResponseStream({ highWaterMark: 1000 });
    signal?.addEventListener("abort", () => stream.destroy());
    handler(event, stream, context).then(
      () => expectFinished(stream),
      (error) => stream.destroy(error),
    );
    return readAnswer(stream);
  };
}

/**
 * Expects a finished response, because Lambda stops a function when its handler
 * has finished, even if there is more data to send.
 */
function expectFinished(stream: ResponseStream): void {
  if (!stream.writableFinished && !stream.destroyed) {
    stream.destroy(new Error("the handler did not wait for its response"));
  }
}

async function readAnswer(stream: ResponseStream): Promise<Response> {
  const chunks = stream.iterator({ destroyOnReturn: false });
  let start = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const { done, value } = await chunks.next();
    if (done) throw new Error("there is no head");
    start = Buffer.concat([start, Buffer.from(value)]);
    end = start.indexOf(Buffer.alloc(delimiterLength));
  }
  if (stream.contentType !== httpAnswer) throw new Error("no HTTP answer");
  const head = JSON.parse(start.toString("utf8", 0, end));
  const { cookies = [], statusCode } = head;
  const headers = new Headers(head.headers);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const rest = start.subarray(end + delimiterLength);
      if (rest.length > 0) controller.enqueue(rest);
    },
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
    cancel: () => void stream.destroy(),
  });
  const hasBody = ![204, 205, 304].includes(statusCode);
  return new Response(hasBody ? body : null, { status: statusCode, headers });
}
