/** The contract's names and the service's names for the same things. */
export type Names = Readonly<Record<string, string>>;

/** A service that has this contract, but other names, as data. Each table has the contract's name on the left. */
export interface Dialect {
  name: string;
  /** Base URL of the service. */
  url: string;
  /** Environment variables that the service's other clients read. */
  environment: { readonly url: string; readonly token: string };
  /** The largest page of a list that the service returns. */
  pageSize: number;
  /** Beginnings of paths. */
  paths: Names;
  /** Names of fields, in bodies, filters and the fields of errors. */
  fields: Names;
  /** Values of enumerations. */
  values: Names;
  /** Beginnings of the ids of images and kernels. */
  ids: Names;
  /** Beginnings of the device paths of volumes. */
  devices: Names;
  /** Capabilities of regions. */
  capabilities: Names;
  /** Names of the platform, as the creator of public images. */
  platforms: Names;
  /** How the service and the protocol of an SRV record begin. In the contract, they begin with "_". */
  servicePrefix: string;
  /** Words in error messages, in addition to the names of fields and values, and the first parts of scopes. */
  words: Names;
}
