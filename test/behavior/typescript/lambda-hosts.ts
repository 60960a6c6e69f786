import {
  type LambdaEvent,
  toLambdaHandler,
} from "../../../runtime/typescript/hosts/lambda.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import type { Running, Sent, TestHost } from "./hosts.js";
import { deploy } from "./lambda-runtime.js";

/** A host that responds once the response is complete. */
export const lambdaHost: TestHost = {
  name: "AWS Lambda",
  passesAll: true,
  start: startLambda,
};

/** A host that streams responses. */
export const lambdaStreamHost: TestHost = {
  name: "AWS Lambda, streaming",
  passesAll: true,
  start: startLambdaStream,
};

/** The hosts with and without streaming. */
export const lambdaHosts: readonly TestHost[] = [lambdaHost, lambdaStreamHost];

/** Creates the event that a function URL sends for a request. */
function eventOf({ verb, path, headers, body }: Sent): LambdaEvent {
  const [rawPath = "", ...query] = path.split("?");
  const names = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    rawPath,
    rawQueryString: query.join("?"),
    headers: Object.fromEntries(names),
    requestContext: { http: { method: verb } },
    isBase64Encoded: true,
    ...(body !== null && { body: Buffer.from(body).toString("base64") }),
  };
}

function startLambda(server: RpcServer): Promise<Running> {
  const handler = toLambdaHandler(server);
  const send = async (sent: Sent) => {
    const answer = await handler(eventOf(sent));
    return {
      status: answer.statusCode,
      header: (name: string) => answer.headers[name] ?? null,
      text: Buffer.from(
        answer.body,
        answer.isBase64Encoded ? "base64" : "utf8",
      ).toString(),
    };
  };
  return Promise.resolve({
    send,
    fetch: (url, init) => server.fetch(new Request(url, init)),
    close: () => Promise.resolve(),
  });
}

function startLambdaStream(server: RpcServer): Promise<Running> {
  const invoke = deploy(server);
  const send = async (sent: Sent) => {
    const answer = await invoke(eventOf(sent));
    const text = await answer.text();
    const { headers, status } = answer;
    return { status, header: (name: string) => headers.get(name), text };
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const { pathname, search } = new URL(url);
    const event = eventOf({
      verb: request.method,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      body: request.body && new Uint8Array(await request.arrayBuffer()),
    });
    return invoke(event, undefined, init.signal);
  };
  return Promise.resolve({ send, fetch, close: () => Promise.resolve() });
}
