export { Asset, plainAsset } from "./asset";
export { type Content, type Given, open, wayOf } from "./content";
export { type Digest, digestOf } from "./digest";
export { oneWay } from "./rules";
export { asLost, type Transfer, TransferError, transfer } from "./transfer";
export { typeByEnding } from "./types";
