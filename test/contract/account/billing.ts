import { expect } from "vitest";
import type { Cloud, TestResponse } from "../cloud";

/**
 * The full name of a rule in the section "Account and billing" of the API documentation. Tests use it to declare which
 * rule they check.
 */
export const rule = (number: number): string => `part 3 · Endpoints · Account and billing · rule ${number}`;

export const visa = { card_number: "4111111111111111", cvv: "123", expiry_month: 1, expiry_year: 2030 };

/** Adds a payment card and returns its id. */
export async function card({ send }: Cloud, data: object = {}, method: object = {}): Promise<number> {
  const added = await send("POST /account/payment-methods", { body: { data: { ...visa, ...data }, ...method } });
  expect(added).toMatchObject({ status: 200, body: {} });
  return (await send("GET /account/payment-methods")).body.data.at(-1).id;
}

/** Simulates a billing event that happens outside the API. */
export async function outside({ send }: Cloud, what: string, body: object): Promise<TestResponse["body"]> {
  const done = await send(`POST /_emulator/${what}`, { body });
  expect(done.body.errors).toBeUndefined();
  return done.body;
}

const DAY = 24 * 3600 * 1000;
export const days = (count: number): number => count * DAY;
