import { createServer, type RequestListener } from "node:http";

import { onTestFinished } from "vitest";

/** An HTTP server on this computer. */
export interface LocalSite {
  /** For example, `http://127.0.0.1:4242`. */
  readonly url: string;
  readonly port: number;
  /** The number of requests received. */
  count(): number;
  close(): Promise<void>;
}

/** Starts a server with the given responses. The caller must close it. */
export async function openSite(answer: RequestListener): Promise<LocalSite> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" ? (bound?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a server for the duration of a test. */
export async function openSiteForTest(
  answer: RequestListener,
): Promise<LocalSite> {
  const site = await openSite(answer);
  onTestFinished(site.close);
  return site;
}
