/** Starts a node:http server on a free local port. Returns the port. */
export function listenOn(server) {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server.address().port));
  });
}
