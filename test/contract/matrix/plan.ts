import type { Area, Operation, Operations, Sent } from "../../../api";
import { type Api, connect } from "../../../provider/client";
import { type Cloud, cloud } from "../cloud";

/** An account in which an operation is about to be called. */
export interface Account extends Cloud {
  /** The client, for what has to be there first. */
  api: Api;
}

/** How an operation is called with success: makes by other operations what it needs, and gives its input. */
export type Plan<O extends Operation> = (account: Account) => Sent<O> | Promise<Sent<O>>;

/** A plan for each operation of an area: a missing one does not compile. */
export type Plans<A extends Area> = { readonly [O in keyof A]: Plan<A[O]> };

export type AllPlans = { readonly [A in keyof Operations]: Plans<Operations[A]> };

export async function freshAccount(): Promise<Account> {
  const one = await cloud();
  return { ...one, api: connect({ url: one.url, token: one.token }).api };
}
