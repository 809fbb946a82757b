import type { Behavior } from "../behavior";
import { catalogue } from "./catalogue";
import { areas, operations, products } from "./operations";
import { parameters, records, requests } from "./records";

/** The public service whose release 4.108 the API documentation describes, as it is today. */
export const linode: Behavior = { records, requests, parameters, catalogue, operations, areas, products };
