/**
 * The functions that a provider calls, in the order of Pulumi's calls: inputs are checked, changes are planned, and
 * then the object is created, updated, read or deleted.
 */
export { type Checked, check, createProblems } from "./check";
export { create, predictCreated } from "./create";
export { destroy } from "./delete";
export { noteVerifiedAccount } from "./missing";
export { migrated, read, refresh, STATE_VERSION } from "./observe";
export { plan } from "./plan";
export { predictUpdated, update } from "./update";
