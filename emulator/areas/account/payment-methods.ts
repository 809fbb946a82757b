import { ErrorResponse, Reasons } from "../../core/error-response";
import type { AreaModule } from "../../http/handlers";
import { accountEntity, accountOf } from "./billing";
import { activeMethods, addMethod, methodOf, requireRoom, requireValid, setDefault, storedCard } from "./cards";

export const paymentMethods: AreaModule<"paymentMethods"> = {
  handlers: {
    list: ({ world }) => activeMethods(world),

    add({ world, body: { type, is_default, data }, emit }) {
      const problems = new Reasons();
      requireValid(world, data, problems, "data.");
      requireRoom(world, problems);
      problems.throwIfAny();
      addMethod(world, { type, is_default, data: storedCard(data) });
      emit(accountEntity(accountOf(world)));
      return {};
    },

    view: ({ world, path }) => methodOf(world, path.paymentMethodId),

    delete({ world, path }) {
      const method = methodOf(world, path.paymentMethodId);
      if (method.is_default)
        throw new ErrorResponse(
          400,
          "The default payment method cannot be deleted; make another one the default first",
        );
      world.paymentMethods.patch(method.id, { active: false });
      return {};
    },

    makeDefault({ world, path }) {
      setDefault(world, methodOf(world, path.paymentMethodId).id);
      return {};
    },
  },
};
