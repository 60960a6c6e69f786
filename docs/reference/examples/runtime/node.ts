// Runs a generated server on Node.
import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { server } from "../shop.js";

const http = createServer(toNodeHandler(server));
http.listen(0, () => http.close());
