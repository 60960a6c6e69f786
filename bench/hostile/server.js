// Runs one server: `node server.js <position in subjects.js>`. Sends its port to
// the parent process, and then answers each message with what it observed.
import { subjects } from "./subjects.js";

const { start } = subjects[Number(process.argv[2])];
let observed = null;

const server = await start({
  save(input) {
    const { counts, data } = input;
    observed = {
      keys: Object.keys(counts ?? {}),
      isPolluted: input.isAdmin === true || counts?.isAdmin === true,
    };
    return data === undefined ? {} : { data };
  },
  fail() {
    throw new Error("password=hunter2");
  },
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));

process.on("message", () => {
  process.send({
    observed,
    isGlobal: {}.isAdmin === true,
    memory: process.resourceUsage().maxRSS / 1024,
  });
  observed = null;
});
