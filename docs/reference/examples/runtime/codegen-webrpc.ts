// Gives generated clients the names that [webrpc's own generator](../../switching-from-webrpc.md) uses. The `compat` target generates calls to these functions. Programs use the client, its errors, and its keys.
import {
  codesOf,
  namesOf,
  VersionFromHeader,
} from "@ridlkit/runtime/codegen/webrpc";
import { WebrpcHeader, webrpcService } from "@ridlkit/runtime/codegen/webrpc";
import { shopGetBook } from "../generated/client.js";
import type { GetBookRequest, GetBookResponse } from "../generated/types.js";
import { options } from "../shop.js";

interface ShopMethods {
  getBook(request: GetBookRequest): Promise<GetBookResponse>;
}
interface ShopKeys {
  getBook(request: GetBookRequest): readonly unknown[];
}

const Shop = webrpcService<ShopMethods, ShopKeys>({
  name: "Shop",
  path: "/rpc/Shop/",
  header: "webrpc;ridlkit;shop@v1.0.0",
  errorByCode: {},
  methods: { getBook: { call: shopGetBook, hasRequest: true } },
});

const request = { isbn: "9780262510875" };
const fetchBook = (url: RequestInfo, init: RequestInit = {}) =>
  options.fetch(String(url), init);
const shop = new Shop("https://shop.example", fetchBook, { timeoutMs: 1000 });
console.log((await shop.getBook(request)).book.title);
console.log(shop.queryKey.getBook(request)); // ["Shop", "getBook", { … }]

const codes = { BookNotFound: 1404 };
console.log(namesOf(codes).BookNotFound, codesOf(codes)[1404]);
const headers = new Headers({ [WebrpcHeader]: "webrpc;ridlkit;shop@v1.0.0" });
console.log(VersionFromHeader(headers).schemaName); // shop
