import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as ask,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** A load balancer in front of several instances. */
export interface Balancer {
  readonly url: string;
  /** Replaces an instance. The new one gets requests as soon as it is ready. */
  set(index: number, url: string): void;
  /** The number of instances that get requests. */
  countReady(): number;
  close(): Promise<void>;
}

interface Target {
  readonly url: string;
  isReady: boolean;
  readonly running: Set<ClientRequest>;
}

const probeIntervalMs = 200;

/** An instance that does not respond for this long counts as down. */
const probeTimeoutMs = 1000;

/**
 * Starts a balancer that sends each request to the instance with the fewest
 * open requests. The caller must close it.
 */
export async function openBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const targets: Target[] = [];
  const closing = new AbortController();
  const server = createServer((request, response) => {
    const [target] = targets
      .filter(({ isReady }) => isReady)
      .sort((one, other) => one.running.size - other.running.size);
    if (target === undefined) response.writeHead(503).end();
    else forward(target, agent, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const bound = server.address();
  const probing = (async () => {
    while (!closing.signal.aborted) {
      await Promise.all(targets.map(probe));
      await sleep(probeIntervalMs);
    }
  })();
  return {
    url: `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`,
    set: (index, url) => {
      targets[index] = { url, isReady: false, running: new Set() };
    },
    countReady: () => targets.filter(({ isReady }) => isReady).length,
    close: async () => {
      closing.abort();
      await probing;
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

async function probe(target: Target): Promise<void> {
  const signal = AbortSignal.timeout(probeTimeoutMs);
  const response = await fetch(`${target.url}/readyz`, { signal }).catch(
    () => null,
  );
  await response?.body?.cancel();
  target.isReady = response?.ok === true;
  if (response !== null) return;
  // Disconnect the instance's waiting callers, so that they retry.
  for (const running of target.running) running.destroy();
}

function forward(
  { running, url }: Target,
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { headers, method } = request;
  const options = { agent, headers, method };
  const forwarded = ask(`${url}${request.url}`, options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  running.add(forwarded);
  forwarded.on("close", () => running.delete(forwarded));
  forwarded.on("error", () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  request.pipe(forwarded);
}
