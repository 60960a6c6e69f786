// Runs a generated server on AWS Lambda, behind API Gateway or a function URL.
import { toLambdaHandler } from "@ridlkit/runtime/lambda";
import { toLambdaStreamHandler } from "@ridlkit/runtime/lambda";
import { server } from "../shop.js";

// `/prod` is the stage of the API.
export const handler = toLambdaHandler(server, { prefix: "/prod" });

// For function URLs with the invoke mode `RESPONSE_STREAM`. Only runs in Lambda.
export const createStreamHandler = () =>
  toLambdaStreamHandler(server, { prefix: "/prod" });
