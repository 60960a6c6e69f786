import { createGreeterClient } from "./generated/client.js";

const greeter = createGreeterClient({ baseUrl: "http://localhost:8080" });

const result = await greeter.greet.result({ name: process.argv[2] ?? "world" });
if (result.ok) console.log(result.value.greeting);
else {
  console.error(`${result.error.name}: ${result.error.message}`);
  process.exitCode = 1;
}
