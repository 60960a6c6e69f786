// The process of one server: `node serve.js <module of subjects/>`. It reports
// its port and, on request, its cost so far.
const [, , module] = process.argv;
const { listen } = await import(new URL(`subjects/${module}`, import.meta.url));

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({
    cpu: (user + system) / 1e6,
    peak: process.resourceUsage().maxRSS / 1024,
  });
});
process.on("disconnect", () => process.exit());
process.send({ port: await listen() });
