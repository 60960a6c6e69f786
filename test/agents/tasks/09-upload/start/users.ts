import { createUsersServer } from "./generated/server.js";

/** Pictures by user. */
export const pictures = new Map<string, Uint8Array>();

function save(user: string, picture: Uint8Array): void {
  pictures.set(user, picture);
}

export const users = createUsersServer({
  handlers: {
    users: {
      listUsers: () => ({
        users: Array.from(pictures.keys(), (name) => ({ name })),
      }),
    },
  },
});

void save;
