import { contentTypeOf, fieldsOf, type Operation } from "../../../api";
import { calls } from "./calls";
import { type Account, freshAccount, type Plan } from "./plan";
import { type Input, request } from "./request";

export type Row = Record<string, unknown>;

export interface Update {
  name: string;
  update: Operation;
  view: Operation;
  plan: Plan<never>;
}

/**
 * All PUT operations for whose path a GET operation exists. Operations for pictures are omitted, because a picture has
 * no fields.
 */
export const updates = calls.flatMap(({ name, operation: update, plan }): Update[] => {
  const view = calls.find(({ operation: { method, path } }) => method === "GET" && path === update.path)?.operation;
  return update.method !== "PUT" || !view || contentTypeOf(view.result) ? [] : [{ name, update, view, plan }];
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
