import { MatchNotFoundError } from "./generated/errors.js";
import { createMatchServer } from "./generated/server.js";
import { listGoals } from "./goals.js";

export const match = createMatchServer({
  handlers: {
    match: {
      listGoals({ match }) {
        if (match !== "7") throw new MatchNotFoundError();
        return { goals: [...listGoals()] };
      },
    },
  },
});
