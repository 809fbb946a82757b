import fc from "fast-check";
import { constants, number } from "../spellings";
import type { Writings } from "./writing";

export const paymentMethod: Writings = ({ data }) => {
  const { expiryMonth, expiryYear, ...card } = data as Record<string, number>;
  return [
    {
      as: {},
      or: {
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
