// Runs a generated server in an [Express](https://expressjs.com) application.
import express from "express";
import { toExpressHandler } from "@ridlkit/runtime/express";
import { server } from "../shop.js";

const app = express();
app.use(toExpressHandler(server, { unknownPaths: "answer" }));
