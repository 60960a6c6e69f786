// Runs a generated server in a [Hono](https://hono.dev) application.
import { Hono } from "hono";
import { toHonoHandler } from "@ridlkit/runtime/hono";
import { server } from "../shop.js";

const app = new Hono();
app.all("/*", toHonoHandler(server));
