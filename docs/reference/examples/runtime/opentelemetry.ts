// Reports a server's spans and metrics to [OpenTelemetry](https://opentelemetry.io).
import * as api from "@opentelemetry/api";
import { createTelemetry } from "@ridlkit/runtime/opentelemetry";
import { createShopServer } from "../generated/server.js";
import { required } from "../shop.js";

const { observe, interceptor } = createTelemetry(api);
createShopServer({ ...required, observe, interceptors: [interceptor] });
