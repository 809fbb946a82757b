import { expect, expectTypeOf, test } from "vitest";
import type { Operation, Operations, Page, Result, Sent } from "../../../api";
import type { CloudInfra, FilterOn, Volume, VolumesAttachInput } from "../../../provider/client/public";

/**
 * The input of an operation as the public client takes it: path, query and body in a single object. Derived from the
 * schemas in `api/`.
 */
type Flat<O extends Operation> = Fields<Sent<O>, "path"> & Fields<Sent<O>, "query"> & Fields<Sent<O>, "body">;
type Fields<S, K extends string> = S extends { [P in K]?: infer F } ? Spread<F> : unknown;
type Spread<F> = unknown extends F ? unknown : F extends Uint8Array ? { body: F } : NonNullable<F>;

type Takes<M> = M extends (input: infer I, ...rest: never[]) => unknown ? Omit<NonNullable<I>, "filter"> : never;
type Gives<M> = M extends (...input: never[]) => Promise<infer R> ? R : never;

type Both<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/**
 * The operations whose types in the generated client differ from those that are derived from the schemas. The test
 * requires that there are none.
 */
type Wrong<A extends keyof Operations & keyof CloudInfra> = {
  [K in keyof Operations[A] & keyof CloudInfra[A]]: Operations[A][K] extends infer O extends Operation
    ? Both<Simple<Takes<CloudInfra[A][K]>>, Simple<Flat<O>>> extends true
      ? GivesRight<Gives<CloudInfra[A][K]>, Result<O>> extends true
        ? never
        : K
      : K
    : never;
}[keyof Operations[A] & keyof CloudInfra[A]];

type Simple<T> = unknown extends T ? object : { [K in keyof T]: T[K] };
// biome-ignore lint/suspicious/noConfusingVoidType: the result of an operation without a response body
type GivesRight<G, R> = [G] extends [void]
  ? [R] extends [Record<string, never>]
    ? true
    : false
  : [R] extends [G]
    ? true
    : false;

type Areas = keyof Operations & keyof CloudInfra;

test("the generated types equal the contract's for every operation", () => {
  expectTypeOf<keyof Operations>().toEqualTypeOf<Areas>();
  expectTypeOf<{ [A in Areas]: Wrong<A> }[Areas]>().toEqualTypeOf<never>();
  expect(true).toBe(true);
});

/** Never called, only type-checked: the line after each `@ts-expect-error` must be a type error. */
async function program(cloud: CloudInfra) {
  const attached: Volume = await cloud.volumes.attach({ volumeId: 1, compute_id: 2 });
  const nothing: unknown = await cloud.volumes.delete({ volumeId: 1 });
  const page: Page<Volume> = await cloud.volumes.list({ filter: { label: "data", "+or": [{ tags: "a" }] } });
  const input: VolumesAttachInput = { volumeId: 1, compute_id: 2 };
  for await (const { label } of cloud.volumes.list.all()) label.length;
  // @ts-expect-error the path is missing
  await cloud.volumes.attach({ compute_id: 2 });
  // @ts-expect-error all inputs are missing
  await cloud.volumes.view();
  // @ts-expect-error the field does not exist
  await cloud.volumes.view({ volumeId: 1, size: 2 });
  // @ts-expect-error the size is not text
  await cloud.volumes.resize({ volumeId: 1, size: "20" });
  // @ts-expect-error volumes can't be filtered by size
  await cloud.volumes.list({ filter: { size: 20 } });
  // @ts-expect-error a label is not a number
  await cloud.volumes.list({ filter: { label: 20 } });
  // @ts-expect-error a view has no pages
  cloud.volumes.view.all();
  // @ts-expect-error a volume has no such field
  attached.colour;
  const filter: FilterOn<{ label: string }> = { label: { "+contains": "a" }, "+order": "desc" };
  return { nothing, page, input, filter };
}

void program;
