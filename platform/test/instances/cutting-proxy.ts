import { connect, createServer, type Socket } from "node:net";

import { pick } from "../crash/random.js";

/** A proxy that cuts connections at random. */
export interface CuttingProxy {
  readonly url: string;
  /** The number of connections that it has cut. */
  countCuts(): number;
  close(): void;
}

/**
 * Starts a proxy that sends each connection to one of the targets. It cuts
 * some before, within, or after a part of a request or a response.
 *
 * Input: `ports` returns the targets, and `share` is the share of these parts
 * after which it cuts.
 */
export async function openCuttingProxy(
  ports: () => readonly number[],
  share: number,
  random: () => number,
): Promise<CuttingProxy> {
  let cuts = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(pick(random, ports()), "127.0.0.1");
    const end = (): void => {
      client.destroy();
      target.destroy();
      open.delete(client);
    };
    open.add(client);
    const forward = (from: Socket, to: Socket): void => {
      from.on("data", (data) => {
        if (random() >= share) return void to.write(data);
        cuts += 1;
        // Nothing, half, or everything arrives before the connection ends.
        const length = pick(random, [0, data.length >> 1, data.length]);
        to.write(data.subarray(0, length), end);
      });
      from.on("close", end);
      from.on("error", end);
    };
    forward(client, target);
    forward(target, client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    countCuts: () => cuts,
    close: () => {
      for (const each of open) each.destroy();
      server.close();
    },
  };
}
