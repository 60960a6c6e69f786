/** Starts a server of node:http at a free port of this machine; gives it. */
export function listenOn(server) {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server.address().port));
  });
}
