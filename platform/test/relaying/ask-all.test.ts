import { createPublicClient, custom, type PublicClient } from "viem";
import { expect, test, vi } from "vitest";

import { askAll } from "../../network/agreement/ask-all.js";
import { pause } from "../../process/lifecycle/pause.js";

/** Longer than askAll waits for others once nodes agree. */
const slowMs = 700;

function openNode(): PublicClient {
  const request = () => Promise.reject(new Error("there is no chain"));
  return createPublicClient({ transport: custom({ request }) });
}

/** Asks nodes for answers, each after a delay, or never if it is null. */
function ask(
  answers: readonly (readonly [answer: string, afterMs: number | null])[],
  isEnough?: (found: readonly (string | null)[]) => boolean,
  nodes: readonly PublicClient[] = answers.map(openNode),
  canBeFew = false,
): Promise<readonly (string | null)[]> {
  return askAll(
    nodes,
    async (node) => {
      const [answer, afterMs] = answers[nodes.indexOf(node)] ?? ["", null];
      if (afterMs === null) return new Promise<string>(() => undefined);
      await pause(afterMs, undefined);
      if (answer === "error") throw new Error("no response");
      return answer;
    },
    isEnough,
    canBeFew,
  );
}

test.concurrent("a fast node does not decide alone", async () => {
  const slow = ["truth", slowMs] as const;
  expect(await ask([["lie", 0], slow])).toEqual(["lie", "truth"]);
  const found = await ask([["lie", 0], slow, slow]);
  expect(found.filter((each) => each === "truth").length).toBeGreaterThan(0);
});

test.concurrent("waits for slow nodes while the others disagree", async () => {
  const answers = [
    ["lie", 0],
    ["truth", 0],
    ["truth", slowMs],
  ] as const;
  const isEnough = (found: readonly (string | null)[]): boolean =>
    found.filter((each) => each === "truth").length > 1;
  expect(await ask(answers, isEnough)).toEqual(["lie", "truth", "truth"]);
});

test.concurrent(
  "waits in doubt for nodes that were too slow before",
  async () => {
    const two = (found: readonly (string | null)[]): boolean =>
      found.filter((each) => each === "truth").length > 1;
    const nodes = [openNode(), openNode(), openNode()];
    const [fast, slow, silent] = [
      ["truth", 0],
      ["truth", slowMs],
      ["", null],
    ] as const;
    expect(await ask([fast, fast, silent], two, nodes)).toContain(null);
    const outvoted = await ask([["lie", 0], fast, slow], two, nodes);
    expect(outvoted).toEqual(["lie", "truth", "truth"]);
  },
);

test.concurrent(
  "one node does not decide while the others are slow",
  async () => {
    const nodes = [openNode(), openNode(), openNode()];
    const silent = ["", null] as const;
    await ask([["truth", 0], silent, silent], undefined, nodes);
    const slow = ["truth", slowMs] as const;
    const found = await ask([["lie", 0], slow, slow], undefined, nodes);
    expect(found).toContain("truth");
  },
);

test.concurrent(
  "few can be enough while the others were silent before",
  async () => {
    const nodes = [openNode(), openNode()];
    const askFew = (afterMs: number | null) =>
      ask(
        [
          ["truth", 0],
          ["late", afterMs],
        ],
        undefined,
        nodes,
        true,
      );
    // The first time, it is waited for.
    expect(await askFew(slowMs)).toEqual(["truth", "late"]);
    expect(await askFew(null)).toEqual(["truth", null]);
    expect(await askFew(2 * slowMs)).toEqual(["truth", null]);
  },
);

test.concurrent(
  "a node that was slow once is waited for if the others fail",
  async () => {
    const nodes = [openNode(), openNode(), openNode()];
    const fast = ["truth", 0] as const;
    await ask([fast, fast, ["", null]], undefined, nodes);
    const answers = [fast, ["error", 0], ["slow", slowMs]] as const;
    const found = await ask(answers, undefined, nodes, true);
    expect(found).toEqual(["truth", null, "slow"]);
  },
);

test("questions that do not wait for a silent node do not prolong this", async () => {
  const nodes = [openNode(), openNode()];
  const askAfter = (seconds: number, afterMs: number | null) => {
    vi.spyOn(performance, "now").mockReturnValue(seconds * 1000);
    const answers = [["truth", 0] as const, ["slow", afterMs] as const];
    return ask(answers, undefined, nodes, true);
  };
  try {
    expect(await askAfter(100, null)).toEqual(["truth", null]);
    expect(await askAfter(109, null)).toEqual(["truth", null]);
    expect(await askAfter(111, slowMs)).toEqual(["truth", "slow"]);
  } finally {
    vi.restoreAllMocks();
  }
});

test.concurrent(
  "does not wait for a silent node once the others agree",
  async () => {
    const answers = [
      ["truth", 0],
      ["truth", 0],
      ["", null],
    ] as const;
    expect(await ask(answers)).toEqual(["truth", "truth", null]);
  },
);

test.concurrent(
  "a silent node and one that fails do not stop the others",
  async () => {
    expect(
      await ask([
        ["truth", 0],
        ["", null],
      ]),
    ).toEqual(["truth", null]);
    expect(
      await ask([
        ["error", 0],
        ["truth", 0],
      ]),
    ).toEqual([null, "truth"]);
    await expect(
      ask([
        ["error", 0],
        ["error", 0],
      ]),
    ).rejects.toThrow("no response");
  },
);

test.concurrent("a judgement that fails is the caller's error", async () => {
  const isEnough = (): boolean => {
    throw new TypeError("a malformed answer");
  };
  const slow = ["truth", slowMs] as const;
  const found = ask([["truth", 0], ["malformed", 0], slow], isEnough);
  await expect(found).rejects.toThrow("a malformed answer");
});
