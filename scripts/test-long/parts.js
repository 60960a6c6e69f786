/** The parts, which are scripts in this folder, longest first. */
export const parts = [
  // On every host that the documentation names.
  "hosts",
  // Clients and servers in other languages.
  "languages",
  // In a browser.
  "browser",
  // Every benchmark, with small inputs.
  "bench",
  // First use of the packed packages.
  "install",
  // With apps of other frameworks.
  "frameworks",
  // With tools and generators of others.
  "interop",
  // The conformance suite of the Model Context Protocol.
  "mcp",
];

/** Long tests whose full size takes minutes: the project, the file, the size. */
export const sizes = {
  // Calls with idempotency keys while connections are cut and instances killed.
  keys: [
    ...["killed", "platform/test/instances/keyed-calls.long.ts"],
    { RIDLKIT_KEYED_CALLS: "10000", RIDLKIT_KILLS: "100" },
  ],
  // Worlds of relays in which a node gives wrong answers.
  lies: [
    ...["long", "platform/test/relaying/lying-nodes.long.ts"],
    { RIDLKIT_LIES: "1000000" },
  ],
  // What a project notices while others use every limit. The machine must be quiet.
  tenants: [
    ...["timed", "platform/test/instances/hostile-tenants.long.ts"],
    { RIDLKIT_TENANTS: "1,4,40,400", RIDLKIT_TIMES: "1" },
  ],
  // Payments while connections are cut, services killed and forms sent twice.
  payments: ["long", "test/behavior/payments/payments.long.ts", {}],
  // Neither heap nor handles of server and client may grow.
  soak: [
    ...["long", "test/behavior/typescript/soak.long.ts"],
    { RIDLKIT_SOAK_MINUTES: "10" },
  ],
};
