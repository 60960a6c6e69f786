// Forwards requests to a server with `http-proxy`. Usage: node http-proxy.js PORT
import { Agent, createServer } from "node:http";
import proxies from "http-proxy";

const proxy = proxies.createProxyServer({
  target: `http://127.0.0.1:${process.argv[2]}`,
  // Longer than Node keeps idle connections open.
  agent: new Agent({ keepAlive: true, timeout: 60_000 }),
});
proxy.on("error", (_error, _request, response) => {
  if (response.headersSent) return response.destroy();
  response.writeHead(502).end();
});
// By itself, it does not tell the server that a client has left.
proxy.on("proxyReq", (sent, _request, response) => {
  // A refused upload can be incomplete, although its response is complete.
  response.on("close", () => {
    if (!response.writableFinished || !sent.writableFinished) sent.destroy();
  });
});
const http = createServer((request, response) => proxy.web(request, response));
http.keepAliveTimeout = 75_000;
http.listen(0, "127.0.0.1", () => {
  console.log(`"port":${http.address().port}`);
});
