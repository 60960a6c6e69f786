import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameContract } from "../../generator/4-emit/typescript/names/name-contract.js";
import {
  camelCase,
  kebabCase,
  pascalCase,
} from "../../generator/4-emit/names/casing.js";
import {
  contract,
  host,
  message,
  method,
  service,
  struct,
} from "../support/contract-parts.js";
import { namesContract } from "../support/names-contract.js";

describe("casing", () => {
  it.each([
    ["GetSwapPrice", "getSwapPrice", "GetSwapPrice", "get-swap-price"],
    ["API", "api", "API", "api"],
    ["HTTPGet", "httpGet", "HTTPGet", "http-get"],
    ["ERC20Token", "erc20Token", "ERC20Token", "erc20-token"],
    ["v1/Example", "v1Example", "V1Example", "v1-example"],
    ["get_one", "getOne", "GetOne", "get-one"],
    ["beta-host", "betaHost", "BetaHost", "beta-host"],
    ["URL", "url", "URL", "url"],
    ["A", "a", "A", "a"],
    ["tokenIDs", "tokenIDs", "TokenIDs", "token-i-ds"],
    ["日本", "日本", "日本", "日本"],
    ["", "", "", ""],
  ])("%s", (name, camel, pascal, kebab) => {
    expect(camelCase(name)).toBe(camel);
    expect(pascalCase(name)).toBe(pascal);
    expect(kebabCase(name)).toBe(kebab);
  });
});

describe("nameContract", () => {
  const [first, second] = [
    service("First", [method("First", "Get"), method("First", "Ping")]),
    service("Second", [method("Second", "Get"), method("Second", "Fetch")]),
  ];
  const made = contract(
    [struct("PingRequest", []), struct("Date", []), struct("Call", [])],
    [host("api", [first, second])],
  );
  const names = nameContract(made);
  const of = (owner: typeof first, index: number) => {
    const found = owner.methods[index];
    if (found === undefined) throw new Error("no such method");
    return names.method(found);
  };

  it("keeps declared names unless generated code needs them", () => {
    expect(names.type("PingRequest")).toBe("PingRequest");
    expect(names.type("Date")).toBe("DateType");
  });

  it("puts the service's name in front of every derived name that clashes", () => {
    expect(of(first, 0).request).toBe("FirstGetRequest");
    expect(of(second, 0).request).toBe("SecondGetRequest");
    expect(of(first, 1).request).toBe("FirstPingRequest");
    expect(of(first, 1).response).toBe("PingResponse");
    expect(of(second, 1).response).toBe("FetchResponse");
    expect(of(second, 1).constant).toBe("secondFetch");
  });

  it("imports names of the runtime under different names if they are taken", () => {
    expect(names.imported("Call")).toBe("RuntimeCall");
    expect(names.imported("createClient")).toBe("createClient");
    expect(names.imported("builtInErrors")).toBe("builtInErrors");
  });

  it("does not hide members of objects or turn clients into promises", () => {
    const methods = namesContract.hosts[0]?.services[0]?.methods ?? [];
    const all = nameContract(namesContract);
    const properties = methods.map((item) => all.method(item).property);
    expect(properties).toContain("constructor_");
    expect(properties).toContain("then_");
    expect(properties).toContain("delete");
    expect(new Set(properties).size).toBe(methods.length);
  });

  it.each([
    ["MarketplaceAPI", "marketplace-api"],
    ["aux", "aux2"],
    ["COM1", "com12"],
    ["explorer", "explorer2"],
    ["runtime", "runtime2"],
    ["商店", "商店"],
    ["-", "host"],
    ["../up", "up"],
    ["e\u0301", "é"],
    ["x".repeat(200), "x".repeat(60)],
  ])("gives host %s a folder that every system accepts", (name, folder) => {
    const hosts = [host(name, []), host("other", [])];
    const [first = expect.unreachable()] = hosts;
    expect(nameContract(contract([], hosts)).host(first).folder).toBe(folder);
  });

  it("gives hosts separate folders if their long names start the same", () => {
    const hosts = ["a", "b"].map((end) => host("x".repeat(100) + end, []));
    const names = nameContract(contract([], hosts));
    const folders = hosts.map((each) => names.host(each).folder);
    expect(folders).toEqual(["x".repeat(60), `${"x".repeat(60)}2`]);
  });

  it("exports every name only once, whatever the names in the contract", () => {
    const word = fc.constantFrom(
      ..."Get get GetRequest Request API api Api A-B AB Error Client Date".split(
        " ",
      ),
      ..."createClient constructor then __proto__ 1 1inch 日 é / ''".split(" "),
    );
    const distinct = fc.uniqueArray(word, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        word,
        distinct,
        distinct,
        distinct,
        (hostName, types, services, methods) => {
          const all = contract(
            types.map((name) => struct(name, [])),
            [
              host(
                hostName,
                services.map((name) =>
                  service(
                    name,
                    methods.map((item) =>
                      method(name, item, { request: message([]) }),
                    ),
                  ),
                ),
              ),
            ],
          );
          const exported = exportedNames(all);
          expect(new Set(exported).size).toBe(exported.length);
          for (const name of exported) {
            expect(name).toMatch(/^[$_\p{ID_Start}][$\p{ID_Continue}]*$/u);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

function exportedNames(all: typeof namesContract): readonly string[] {
  const names = nameContract(all);
  const hosts = all.hosts.map((item) => {
    const { folder, ...exported } = names.host(item);
    return exported;
  });
  const services = all.hosts.flatMap((item) => item.services);
  const ofServices = services.map((item) => {
    const { property, ...exported } = names.service(item);
    return exported;
  });
  const ofMethods = services
    .flatMap((item) => item.methods)
    .map((item) => {
      const { property, ...exported } = names.method(item);
      return exported;
    });
  return [
    ...all.types.map(({ name }) => names.type(name)),
    names.contractError,
    ...[...hosts, ...ofServices, ...ofMethods, names.platform].flatMap((item) =>
      Object.values<string>({ ...item }),
    ),
  ];
}
