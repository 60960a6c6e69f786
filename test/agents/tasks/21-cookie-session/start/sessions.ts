import { randomUUID } from "node:crypto";

const passwords = new Map([
  ["Ada", "difference engine"],
  ["Bob", "battery staple"],
]);

/** The customers who are signed in, by the IDs of their sessions. */
export const sessions = new Map<string, string>();

export function isPassword(name: string, password: string): boolean {
  return passwords.get(name) === password;
}

/** Opens a session. Returns its ID, which is a secret. */
export function openSession(name: string): string {
  const id = randomUUID();
  sessions.set(id, name);
  return id;
}

export function ordersOf(name: string): string[] {
  return [`the first order of ${name}`, `the second order of ${name}`];
}
