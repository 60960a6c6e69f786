import { createKey } from "@ridlkit/runtime/server";
import { WrongPasswordError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";
import { isPassword, openSession, ordersOf, sessions } from "./sessions.js";

const customerKey = createKey<string>("customer");

export const shop = createShopServer({
  cors: { origins: ["https://shop.example"], credentials: true },
  verifySession(id, context) {
    const customer = sessions.get(id);
    if (customer === undefined) return false;
    context.set(customerKey, customer);
    return true;
  },
  handlers: {
    account: {
      signIn({ name, password }, { appendHeader }) {
        if (!isPassword(name, password)) throw new WrongPasswordError();
        appendHeader(
          "Set-Cookie",
          `sid=${openSession(name)}; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax`,
        );
        return {};
      },
    },
    orders: {
      listOrders: (_request, context) => ({
        orders: ordersOf(context.get(customerKey) ?? ""),
      }),
    },
  },
});
