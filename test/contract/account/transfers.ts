import { expect } from "vitest";
import { type Cloud, messages } from "../cloud";

export const HOUR = 3600 * 1000;
export const all = "/account/entity-transfers";

interface Created {
  token: string;
  path: `/${string}`;
  entities: { computes: number[] };
  [field: string]: unknown;
}

export async function transfer({ send }: Cloud, ...computes: number[]): Promise<Created> {
  const created = await send(`POST ${all}`, { body: { entities: { computes } } });
  expect(created.body.errors).toBeUndefined();
  return { ...created.body, path: `${all}/${created.body.token}` as const };
}

/** Creates a transfer in which another account offers instances to this one. */
export async function gift({ send }: Cloud, ...computes: object[]): Promise<Created> {
  const created = await send("POST /_emulator/transfers", { body: { computes } });
  expect(created.body.errors).toBeUndefined();
  return { ...created.body, path: `${all}/${created.body.token}` as const };
}

/** Simulates that another account accepts a transfer of this one. */
export const taken = ({ send }: Cloud, token: string) => send("POST /_emulator/transfers/accept", { body: { token } });

export const refusals = async ({ send }: Cloud, ...computes: number[]): Promise<string[]> => {
  const rejected = await send(`POST ${all}`, { body: { entities: { computes } } });
  expect(rejected.status).toBe(400);
  return messages(rejected);
};
