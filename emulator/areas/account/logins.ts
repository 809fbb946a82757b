import type { Login } from "../../../api";
import { notFound } from "../../core/error-response";
import { MONTHS_3 } from "../../core/events";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";

export interface LoginRow extends Login {}

export const logins: AreaModule<"logins", { logins: LoginRow }> = {
  tables: { logins: table<LoginRow>() },
  handlers: {
    list({ world }) {
      const since = start(world);
      const recent = world.logins.where(({ datetime }) => datetime >= since);
      return recent.toSorted((a, b) => (a.datetime === b.datetime ? b.id - a.id : a.datetime < b.datetime ? 1 : -1));
    },

    view({ world, path }) {
      const login = world.logins.get(path.loginId);
      if (login.datetime < start(world)) throw notFound();
      return login;
    },
  },
};

/** Logins before this time are not returned (API documentation, part 3 · Endpoints · Account and billing · rule 2). */
const start = ({ clock }: World): string => clock.time(clock.now() - MONTHS_3);
