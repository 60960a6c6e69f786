"use client";

import { useState } from "react";
import { createGreeterClient } from "../generated/client";

const client = createGreeterClient({ baseUrl: "" });

export function GreetForm() {
  const [answer, setAnswer] = useState("");
  const greet = async (form: FormData) => {
    const result = await client.greet.result({
      name: String(form.get("name")),
    });
    setAnswer(
      result.ok
        ? result.value.greeting
        : `${result.error.name}: ${result.error.message}`,
    );
  };
  return (
    <form action={greet}>
      <input name="name" aria-label="Name" required />
      <button>Greet</button>
      <output>{answer}</output>
    </form>
  );
}
