// Runs a generated server in a [Fastify](https://fastify.dev) application.
import { fastify } from "fastify";
import { toFastifyPlugin } from "@ridlkit/runtime/fastify";
import { server } from "../shop.js";

const app = fastify();
app.register(toFastifyPlugin(server), { prefix: "/api" });
