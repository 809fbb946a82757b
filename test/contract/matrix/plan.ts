import type { Area, Operation, Operations, Sent } from "../../../api";
import { type Api, connect } from "../../../provider/client";
import { type Cloud, cloud } from "../cloud";

/** The account in which a plan creates objects. */
export interface Account extends Cloud {
  /** A client for creating objects that the operation requires. */
  api: Api;
}

/** Prepares a successful call of an operation: creates the objects that it requires, and returns its input. */
export type Plan<O extends Operation> = (account: Account) => Sent<O> | Promise<Sent<O>>;

/** A plan for each operation of an area. A missing plan is a type error. */
export type Plans<A extends Area> = { readonly [O in keyof A]: Plan<A[O]> };

export type AllPlans = { readonly [A in keyof Operations]: Plans<Operations[A]> };

export async function freshAccount(): Promise<Account> {
  const one = await cloud();
  return { ...one, api: connect({ url: one.url, token: one.token }).api };
}
