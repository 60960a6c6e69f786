import { NobodyError } from "./generated/errors";
import { createGreeterServer } from "./generated/server";

export const greeter = createGreeterServer({
  handlers: {
    greeter: {
      greet({ name }) {
        if (name === "Nobody") throw new NobodyError();
        return { greeting: `Hello, ${name}!` };
      },
    },
  },
});
