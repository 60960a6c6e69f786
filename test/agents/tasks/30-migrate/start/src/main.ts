import { add, listClassics } from "./books.js";
import { remove, setPrice } from "./prices.js";
import { configure } from "./settings.js";

configure();
console.log(await listClassics());
console.log(await add("SICP"));
console.log(await add("Dune"));
console.log(await setPrice(1, 12));
console.log(await setPrice(404, 12));
console.log(await remove(1), await remove(404));
