/** Prints JSON for agents, in which every `bigint` is a string. */
export function printAgentJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === "bigint" ? `${each}` : each,
  );
}
