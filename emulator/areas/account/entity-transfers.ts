import { type AreaModule, listed } from "../../http/handlers";
import { about, accept, cancel, listTransfers, offer, shown, transferOf } from "./transfers";

export const entityTransfers: AreaModule<"entityTransfers"> = {
  handlers: {
    list: ({ world }) => listed(listTransfers(world), shown),

    create({ world, body, emit }) {
      const transfer = offer(world, body);
      // The message that goes to the account: with the token, somebody else accepts the transfer.
      emit(about(transfer), { message: `Transfer token: ${transfer.token}` });
      return shown(transfer);
    },

    view: ({ world, path }) => shown(transferOf(world, path.token)),

    cancel({ world, path, emit }) {
      emit(about(cancel(world, path.token)));
      return {};
    },

    accept({ world, path }) {
      accept(world, path.token, "this");
      return {};
    },
  },
};
