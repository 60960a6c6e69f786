import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { greeter } from "./greeter.js";

createServer(toNodeHandler(greeter))
  .on("error", (error) => {
    console.error(`The server cannot start: ${error.message}`);
    process.exitCode = 1;
  })
  .listen(8080, () => {
    console.log("Greeter listens on http://localhost:8080");
  });
