import { connect, createServer, type Socket } from "node:net";

import { onTestFinished } from "vitest";

/** A proxy that can make the server behind it stop responding. */
export interface MuteProxy {
  readonly port: number;
  /**
   * Blocks all data, or lets it through again. While data is blocked,
   * connections stay open, and new ones are accepted.
   */
  setMute(isMute: boolean): void;
  /** Ends all connections, and forwards later ones to another local port. */
  setTarget(target: number): void;
}

/** Forwards to a local port until the test ends. */
export async function openMuteProxy(first: number): Promise<MuteProxy> {
  let target = first;
  const sockets = new Set<Socket>();
  let isMute = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (isMute) socket.pause();
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(target, "127.0.0.1"));
    keep(near).on("data", (chunk) => far.write(chunk));
    far.on("data", (chunk) => near.write(chunk));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    if (isMute) for (const socket of [near, far]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    endAll();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    setMute: (mute) => {
      isMute = mute;
      for (const socket of sockets) {
        if (mute) socket.pause();
        else socket.resume();
      }
    },
    setTarget: (next) => {
      target = next;
      endAll();
    },
  };
}
