import fc from "fast-check";
import { constants, number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

const visa = { cardNumber: "4111111111111111", expiryMonth: 1, expiryYear: 2031, cvv: "123" };

export const effects: Effects<"PaymentMethod"> = {
  type: "replace",
  data: "replace",
  isDefault: ["paymentMethods.makeDefault"],
};

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"PaymentMethod"> = async ({ api, world }) => {
  // The first card of an account becomes its default. It is added here, so that the card under test is not the default.
  const own = { card_number: "5555555555554444", expiry_month: 12, expiry_year: 2032, cvv: "321" };
  await api.paymentMethods.add({ body: { data: own } });
  /**
   * Returns the inputs of the given card if the payment method has its last four digits and expiry date. The API does
   * not return the full number.
   */
  const isCard =
    ({ cardNumber, expiryMonth, expiryYear }: typeof visa) =>
    (id: number) => {
      const { last_four, expiry } = world.paymentMethods.get(id).data;
      return cardNumber.endsWith(last_four) && expiry === `0${expiryMonth}/${expiryYear}`
        ? { card_number: cardNumber, expiry_month: expiryMonth, expiry_year: expiryYear, cvv: visa.cvv }
        : {};
    };
  const [other, renewed] = [
    { ...visa, cardNumber: "4000000000000002" },
    { ...visa, expiryMonth: 2 },
  ];
  return {
    base: { data: visa },
    changes: {
      type: "cards are the only type that can be added",
      data: [
        { to: other, read: isCard(other) },
        { to: renewed, read: isCard(renewed) },
      ],
      isDefault: { to: true, calls: ["paymentMethods.makeDefault"] },
    },
    table: null,
    creation: "paymentMethods.add",
    remains: { paymentMethods: ({ active }) => active === false },
    mustReturn: ["data"],
    adopted: ["isDefault"],
    changeUnmanaged: () => {},
  };
};

export const equivalentValues: EquivalentValues = ({ data }) => {
  const { expiryMonth, expiryYear, ...card } = data as Record<string, number>;
  return [
    {
      inputs: {},
      equivalent: {
        type: fc.constantFrom("credit_card", undefined),
        data: fc.record({
          ...constants(card),
          expiryMonth: number(expiryMonth as number),
          expiryYear: number(expiryYear as number),
          cvv: fc.constantFrom("123", "124"),
        }),
        isDefault: fc.constantFrom(false, undefined),
      },
    },
  ];
};

export const exampleEdit: ExampleEdit<"PaymentMethod"> = { isDefault: true };

export const templates: Templates = { PaymentMethod: { max: 1, skip: ["isDefault"] } };
