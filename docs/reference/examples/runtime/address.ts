// Fills placeholders in addresses and paths. Clients accept the result of `address` as their `baseUrl`.
import { address, fillParameters } from "@ridlkit/runtime/address";
import { createShopClient } from "../generated/client.js";

export const shop = createShopClient({
  baseUrl: address("https://{country}.shop.example"),
  parameters: { country: "at" },
});

console.log(fillParameters("/books/{isbns}", { isbns: ["1", "2"] })); // /books/1,2
