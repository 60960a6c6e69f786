import { describeError } from "@ridlkit/runtime/errors";
import { createGreeterClient } from "./generated/client.js";

const greeter = createGreeterClient({ baseUrl: "http://localhost:8080" });

const result = await greeter.greet.result({ name: process.argv[2] ?? "world" });
if (result.ok) console.log(result.value.greeting);
else {
  console.error(describeError(result.error));
  process.exitCode = 1;
}
