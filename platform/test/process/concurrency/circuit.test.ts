import { test } from "vitest";

import { createCircuit } from "../../../process/concurrency/circuit.js";

/** Creates a circuit whose probes are never answered. */
function open() {
  let onProbe = (): void => {};
  const circuit = createCircuit({
    probe: () => {
      onProbe();
      return new Promise(() => undefined);
    },
    refuse: () => new Error("refused"),
  });
  /** Runs a request that is answered only after the next probe is sent. */
  const answerAfterProbe = () =>
    circuit.run(() => new Promise<void>((resolve) => (onProbe = resolve)));
  return { circuit, answerAfterProbe };
}

test.concurrent(
  "rejects requests if neither they nor a probe are answered",
  async ({ expect }) => {
    const { circuit } = open();
    const silent = circuit.run(() => new Promise(() => undefined));
    await expect(silent).rejects.toThrow("refused");
    await expect(circuit.run(() => Promise.resolve())).rejects.toThrow(
      "refused",
    );
  },
);

test.concurrent(
  "accepts the late answer to a request in place of a probe's",
  async ({ expect }) => {
    const { answerAfterProbe, circuit } = open();
    await answerAfterProbe();
    await answerAfterProbe();
    expect(circuit.isOpen).toBe(false);
  },
);

test.concurrent(
  "does not accept the answer to a request that was sent after the probe",
  async ({ expect }) => {
    const { circuit } = open();
    const silent = circuit.run(() => new Promise(() => undefined));
    // The pool can return an idle connection without using it.
    const timer = setInterval(() => {
      circuit.run(() => Promise.resolve()).catch(() => undefined);
    }, 10);
    await expect(silent).rejects.toThrow("refused");
    clearInterval(timer);
  },
);
