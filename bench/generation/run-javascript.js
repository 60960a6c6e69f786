// Runs generated JavaScript directly: checks every declared export of every
// file, and calls each method of each service, whose server must reject an
// invalid request.
// `node run-javascript.js <folder> <number of methods> <exports as JSON>`
const [folder, methodCount, declared] = process.argv.slice(2);

const modules = new Map();
for (const [path, names] of JSON.parse(declared)) {
  const module = await import(`${folder}${path}.js`);
  const found = Object.keys(module).sort();
  if (JSON.stringify(found) !== JSON.stringify(names)) {
    throw new Error(`${path}.js exports ${found}, not ${names}`);
  }
  modules.set(path, module);
}

let refused = 0;
for (const [path, module] of modules) {
  if (path.endsWith("/server")) {
    refused += await refuseAll(
      module,
      modules.get(path.replace(/server$/, "client")),
    );
  }
}
if (refused !== Number(methodCount)) {
  throw new Error(`${refused} of ${methodCount} methods refused a request`);
}

/**
 * Returns the number of methods that reject `{}` when a client calls the
 * server.
 */
async function refuseAll(serverModule, clientModule) {
  const never = () => {
    throw new Error("a handler was called");
  };
  const handler = new Proxy({}, { get: () => never });
  const server = find(
    serverModule,
    /^create\w+Server$/,
  )({
    handlers: new Proxy({}, { get: () => handler }),
    verifyAccessKey: () => true,
  });
  const client = find(
    clientModule,
    /^create\w+HostClient$/,
  )({
    baseUrl: "https://api.example.com",
    credentials: { accessKey: "key" },
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  const calls = Object.values(client).flatMap((each) => Object.values(each));
  const outcomes = await Promise.allSettled(calls.map((call) => call({})));
  return outcomes.filter(({ reason }) => reason?.name === "InvalidArgument")
    .length;
}

function find(module, pattern) {
  const name = Object.keys(module).find((each) => pattern.test(each));
  return module[name];
}
