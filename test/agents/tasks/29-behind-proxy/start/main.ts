import { http } from "./server.js";

http.listen(8080, "127.0.0.1");
