import { expect, it } from "vitest";
import { fillIn } from "../../tools/migrate/hey-api/api-client-file.js";

const text = `import { createContractClient, type ContractClient } from "x";
const prefix = "/prefix";
    // Those of the contract.
`;

it.each(["Contract", "MyContract", "SmartContracts"])(
  "names of the contract %s can contain those that they replace",
  (name) => {
    expect(
      fillIn(text, {
        createContractClient: `create${name}Client`,
        ContractClient: `${name}Client`,
        '"/prefix"': '"/$&/$1"',
        "// Those of the contract.": 'key: "ContractClient"',
      }),
    ).toBe(`import { create${name}Client, type ${name}Client } from "x";
const prefix = "/$&/$1";
    key: "ContractClient"
`);
  },
);
