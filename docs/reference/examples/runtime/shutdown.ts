// Stops a Node server without dropping requests.
import { createSecureServer } from "node:http2";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { closeGracefully, trackSessions } from "@ridlkit/runtime/shutdown";
import { server } from "../shop.js";

const certificate = {}; // `key` and `cert`
const http = createSecureServer(certificate, toNodeHandler(server));
const sessions = trackSessions(http);
http.listen(0, () =>
  closeGracefully(http, { graceMs: 5000, idleMs: 200, sessions }),
);
