import { type Area, contentTypeOf, fieldsOf, type Operation, operations } from "../../../api";
import { type Account, freshAccount, type Plan } from "./plan";
import { plans } from "./plans";
import { type Input, request } from "./request";

export type Row = Record<string, unknown>;

export interface Update {
  name: string;
  update: Operation;
  view: Operation;
  plan: Plan<never>;
}

const named = Object.entries<Area>(operations).flatMap(([area, all]) =>
  Object.entries(all).map(([key, operation]) => ({ area, key, operation })),
);

/**
 * All PUT operations for whose path a GET operation exists. Operations for pictures are omitted, because a picture has
 * no fields.
 */
export const updates = named.flatMap(({ area, key, operation: update }): Update[] => {
  const view = named.find(({ operation: { method, path } }) => method === "GET" && path === update.path)?.operation;
  if (update.method !== "PUT" || !view || contentTypeOf(view.result)) return [];
  const plan = (plans[area as keyof typeof plans] as Readonly<Record<string, Plan<never>>>)[key] as Plan<never>;
  return [{ name: `${area}.${key}`, update, view, plan }];
});

/**
 * Creates the object that a PUT operation updates. Returns the object before the update, and functions that send the
 * GET and the PUT request.
 */
export async function viewed({ update, view, plan }: Update) {
  const created: Account = await freshAccount();
  const { path = {}, body: planned } = (await plan(created as never)) as Input;
  // For objects in a bucket, GET expects the name of the object as a query parameter, and PUT expects it in the body.
  const query = view.query && "name" in fieldsOf(view.query) ? { name: (planned as Row).name } : {};
  const look = async (): Promise<Row> => (await request(created, view, { path, query })).body;
  return {
    look,
    before: await look(),
    planned: planned as Row,
    put: (body: Row) => request(created, update, { path, body: { ...query, ...body } }),
    [Symbol.asyncDispose]: () => created[Symbol.asyncDispose](),
  };
}
