import { MatchNotFoundError } from "./generated/errors.js";
import { createMatchServer } from "./generated/server.js";
import { listGoals, waitForGoal } from "./goals.js";

export const match = createMatchServer({
  handlers: {
    match: {
      listGoals({ match }) {
        if (match !== "7") throw new MatchNotFoundError();
        return { goals: [...listGoals()] };
      },
      async *watchGoals({ match, after = 0 }, { signal }) {
        if (match !== "7") throw new MatchNotFoundError();
        for (let number = after + 1; ; number += 1) {
          const goal = await waitForGoal(number, signal);
          if (goal === null) return;
          yield { goal };
        }
      },
    },
  },
});
