import { WebSocket } from "undici";

/** Between two tries to connect. */
const pauseMs = 1000;

/**
 * Hears of new blocks by a WebSocket of the chain, and connects again when that
 * is lost. It is a hint only: whoever uses it also looks from time to time.
 *
 * Output: call it to hear no more.
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
    // It is closed after an error, too.
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
