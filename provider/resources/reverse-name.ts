import { AddressUpdate, isHostName, ofText } from "../../api";
import { ApiError } from "../client/errors";

/** A name for reverse lookups as the service keeps it. */
export const reverseName = (name: string): string => name.toLowerCase().replace(/\.$/, "");

const isFull = (name: string): boolean => isHostName(name) && reverseName(name).includes(".");

export const ReverseName = AddressUpdate.shape.rdns
  .unwrap()
  .unwrap()
  .refine(isFull, "must be a full host name, such as mail.example.org")
  .meta({ canonical: ofText(reverseName) });

const HINT =
  "a name must resolve to its address before it is set: where a DomainRecord of the same program says so, name that in dependsOn; " +
  "where another name server does, try again once it answers";

/** A call that sets a name; the service refuses one that does not lead to the address, and the order is the program's to say. */
export async function naming<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.reasons.some(({ field }) => field === "rdns")) throw error;
    throw new ApiError(error.operation, error.status, error.reasons, HINT);
  }
}
