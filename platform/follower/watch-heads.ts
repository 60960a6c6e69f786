import { WebSocket } from "undici";

/** The pause between connection attempts. */
const pauseMs = 1000;

/**
 * Subscribes to new blocks through a chain's WebSocket, and reconnects if the
 * connection is lost. Notifications are not guaranteed, so callers must also
 * poll.
 *
 * Returns a function that ends the subscription.
 */
export function watchHeads(url: string, onHead: () => void): () => void {
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const connect = (): void => {
    socket = new WebSocket(url);
    socket.addEventListener("open", () => {
      socket?.send(subscription);
      onHead();
    });
    socket.addEventListener("message", onHead);
    // An error is followed by `close`, whose listener reconnects.
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", () => {
      if (!isOver) timer = setTimeout(connect, pauseMs);
    });
  };
  connect();
  return () => {
    isOver = true;
    if (timer !== null) clearTimeout(timer);
    socket?.close();
  };
}

const subscription = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "eth_subscribe",
  params: ["newHeads"],
});
