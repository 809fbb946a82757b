import { type Area, type Operation, operations } from "../../../api";
import { freshAccount, type Plan } from "./plan";
import { plans } from "./plans";
import { type Input, request } from "./request";

/** An operation of the API with the plan of a valid request. */
export interface Call {
  /** The name in the client, such as `volumes.create`. */
  name: string;
  key: string;
  operation: Operation;
  plan: Plan<never>;
}

export const calls: readonly Call[] = Object.entries<Area>(operations).flatMap(([area, all]) =>
  Object.entries(all).map(([key, operation]) => {
    const plan = (plans[area as keyof typeof plans] as Readonly<Record<string, Plan<never>>>)[key] as Plan<never>;
    return { name: `${area}.${key}`, key, operation, plan };
  }),
);

/**
 * Sends the operation's valid request with a change, in a new account. Returns the response, and the state of the
 * account afterwards.
 */
export async function outcome({ operation, plan }: Call, change: (input: Input) => Input) {
  await using created = await freshAccount();
  const input = (await plan(created as never)) as Input;
  const { status, body } = await request(created, operation, change(input));
  const state = await created.send("GET /_emulator/state");
  // URLs in responses contain the emulator's port, and each account has an id of its own.
  const text = JSON.stringify({ status, body, state: state.body });
  return JSON.parse(text.replaceAll(/127\.0\.0\.1:\d+/g, "here").replaceAll(/"euuid":"[^"]+"/g, '"euuid":"own"'));
}

/** Another value of the same type. */
export function other(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return value.startsWith("2") ? "2001-01-01T00:00:00" : `${value}x`;
  if (typeof value === "boolean") return !value;
  if (value === null) return "something";
  return Array.isArray(value) ? [...value, "something"] : { something: 1 };
}
