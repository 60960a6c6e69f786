// Reports a client's spans and durations to [OpenTelemetry](https://opentelemetry.io).
import * as api from "@opentelemetry/api";
import { createClientTelemetry } from "@ridlkit/runtime/client-telemetry";
import { retry } from "@ridlkit/runtime/interceptors";
import { createShopClient } from "../generated/client.js";
import { options } from "../shop.js";

const use = [createClientTelemetry(api), retry()];
const shop = createShopClient({ ...options, use });
console.log(await shop.getBook({ isbn: "9780262510875" }));
