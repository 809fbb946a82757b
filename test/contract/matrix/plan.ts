import type { Area, Operation, Operations, Sent } from "../../../api";
import { type Api, connect } from "../../../provider/client";
import { type Cloud, cloud } from "../cloud";

/** The emulated account in which a test creates the objects that its request needs. */
export interface Account extends Cloud {
  /** Client for the emulated account's API. */
  api: Api;
}

/**
 * Prepares a valid request of an operation: creates the objects that the request needs, and returns its path
 * parameters, query and body.
 */
export type Plan<O extends Operation> = (account: Account) => Sent<O> | Promise<Sent<O>>;

/**
 * A function for each operation of a part of the API, such as `volumes`, that prepares a valid request. A missing
 * function is a type error.
 */
export type Plans<A extends Area> = { readonly [O in keyof A]: Plan<A[O]> };

export type AllPlans = { readonly [A in keyof Operations]: Plans<Operations[A]> };

export async function freshAccount(): Promise<Account> {
  const one = await cloud();
  return { ...one, api: connect({ url: one.url, token: one.token }).api };
}
