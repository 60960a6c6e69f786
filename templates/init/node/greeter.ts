import { NobodyError } from "./generated/errors.js";
import { createGreeterServer } from "./generated/server.js";

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
