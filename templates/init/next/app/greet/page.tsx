import { inProcess } from "@ridlkit/runtime/in-process";
import { createGreeterClient } from "../generated/client";
import { greeter } from "../greeter";
import { GreetForm } from "./greet-form";

// Server components call the server without a network.
const client = createGreeterClient({ baseUrl: "", fetch: inProcess(greeter) });

export default async function Page() {
  const { greeting } = await client.greet({ name: "world" });
  return (
    <main>
      <h1>{greeting}</h1>
      <GreetForm />
    </main>
  );
}
