import { cells } from "./cells.js";
import { openLoad } from "./load.js";
import { requestOf, sendAtLeast } from "./measure.js";
import { startServer } from "./server-process.js";

/**
 * Measures the peak memory of servers after the same work. Each measurement
 * uses a new process, because garbage collection happens at random times.
 *
 * Returns the samples of each subject in MB, in the same order.
 */
export async function measureMemory(subjects, rounds) {
  const samples = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      samples[index].push({ peak: await peakOf(subject) });
    }
  }
  return samples;
}

async function peakOf(subject) {
  const server = await startServer(subject);
  try {
    for (const cell of cells) {
      const request = requestOf(subject, cell);
      const load = await openLoad({ port: server.port, ...request });
      await sendAtLeast(load, cell.requests);
      load.close();
    }
    return (await server.usage()).peak;
  } finally {
    server.stop();
  }
}
