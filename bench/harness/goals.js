/** Collects goals and whether they were met. */
export function createGoals() {
  const goals = [];
  return {
    /** Declares that `value` must be at most `limit`. */
    atMost(name, value, limit, unit = "") {
      goals.push({
        name,
        value,
        limit,
        unit,
        sign: "≤",
        isMet: value <= limit,
      });
    },
    /** Declares that `value` must be at least `limit`. */
    atLeast(name, value, limit, unit = "") {
      goals.push({
        name,
        value,
        limit,
        unit,
        sign: "≥",
        isMet: value >= limit,
      });
    },
    list: () => goals,
    missed: () => goals.filter(({ isMet }) => !isMet),
  };
}

/** Prints the goals as a Markdown table. */
export function printGoals(goals) {
  return [
    "| goal | limit | measured | |",
    "| --- | --- | --- | --- |",
    ...goals.map(
      ({ name, value, limit, unit, sign, isMet }) =>
        `| ${name} | ${sign} ${limit}${unit} | ${value.toFixed(2)}${unit} | ${isMet ? "met" : "**missed**"} |`,
    ),
  ].join("\n");
}
