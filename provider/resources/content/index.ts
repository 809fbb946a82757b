export { Asset, assetWithoutMarker as plainAsset } from "./asset";
export { type Content, type ContentInputs as Given, open, wayOf } from "./content";
export { type Digest, digestOf } from "./digest";
export { oneWay } from "./rules";
export { asLost, type Transfer, TransferError, transfer } from "./transfer";
export { typeByEnding } from "./types";
