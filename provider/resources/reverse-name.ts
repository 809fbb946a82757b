import { AddressUpdate, isHostName, ofText } from "../../api";
import { ApiError } from "../client/errors";

/** Canonical form of a reverse DNS name, as the service stores it. */
export const reverseName = (name: string): string => name.toLowerCase().replace(/\.$/, "");

const isFull = (name: string): boolean => isHostName(name) && reverseName(name).includes(".");

export const ReverseName = AddressUpdate.shape.rdns
  .unwrap()
  .unwrap()
  .refine(isFull, "must be a full host name, such as mail.example.org")
  .meta({ canonical: ofText(reverseName) });

const HINT =
  "the name must resolve to the address first. If a DomainRecord of this program resolves it, add that record to dependsOn; " +
  "if another name server does, try again once it returns the address";

/**
 * If the service rejects the name because it does not resolve to the address yet, adds to the error which DNS record
 * must be created first.
 */
export async function withOrderHint<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.reasons.some(({ field }) => field === "rdns")) throw error;
    throw new ApiError(error.operation, error.status, error.reasons, HINT);
  }
}
